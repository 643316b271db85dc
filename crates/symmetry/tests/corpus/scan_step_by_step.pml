/* order: 1
   A loop over ids whose every step others see: no symmetry, in the state space either. */
#define N 3
bit flag[N];
active [N] proctype p() {
  byte i;
  do
  :: flag[_pid] = 1;
     i = 0;
     do :: i < N -> (i == _pid || !flag[i]); i++ :: else -> break od;
     flag[_pid] = 0
  od
}
