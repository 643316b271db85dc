/* order: 24 */
#define N 4
byte busy[N];
byte inside;
proctype user(byte id) { do :: atomic { inside == 0 -> inside++; busy[id] = 1 }; atomic { busy[id] = 0; inside-- } od }
init { byte i; atomic { for (i : 0 .. N - 1) { run user(i) } } }
