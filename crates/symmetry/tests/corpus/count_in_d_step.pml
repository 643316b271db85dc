/* order: 24 */
#define N 4
bit in[N];
active [N] proctype p() {
  byte i, n;
  do
  :: d_step { n = 0; i = 0; do :: i < N -> n = n + in[i]; i++ :: else -> break od };
     if :: n < 2 -> in[_pid] = 1 :: else fi;
     in[_pid] = 0
  od
}
