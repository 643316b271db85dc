/* order: 6
   Ids as short and int, negative for nobody. */
short owner = -1; int last = -1;
proctype p(int id) { do :: atomic { owner == -1 -> owner = id }; last = owner; owner = -1; last = -1 od }
init { int i = 0; atomic { do :: i < 3 -> run p(100 * i + 100); i++ :: else -> break od } }
