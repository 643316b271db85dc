/* order: 6
   User ids from 1, arrays of n + 1 cells, 0 for nobody. */
#define N 3
byte owner;
bool flag[N + 1];
byte inside;
proctype user(byte me) {
again:
  flag[me] = true;
  atomic { owner == 0 -> owner = me };
  inside++;
  assert(inside == 1);
  inside--;
  flag[me] = false;
  owner = 0;
  goto again
}
init { byte i = 1; atomic { do :: i <= N -> run user(i); i++ :: else -> break od } }
