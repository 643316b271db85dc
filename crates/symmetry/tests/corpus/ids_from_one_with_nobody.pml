/* order: 6. Ids from 1, started by a loop, and 0 for nobody. */
#define N 3
byte box[N+1]; byte owner = 0;
proctype p(byte id) { do :: atomic { owner == 0 -> owner = id }; box[id] = 1; box[id] = 0; owner = 0 od }
init { byte i = 1; atomic { do :: i <= N -> run p(i); i++ :: else -> break od } }
