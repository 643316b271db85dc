/* order: 6 */
#define N 3
mtype = { I, S, M };
mtype c[N] = I;
active [N] proctype cache() {
  byte j;
  do
  :: d_step { c[_pid] == I -> j = 0; do :: j < N -> if :: c[j] == M -> c[j] = S :: else fi; j++ :: else -> break od; c[_pid] = S }
  :: d_step { c[_pid] != M -> j = 0; do :: j < N -> c[j] = I; j++ :: else -> break od; c[_pid] = M }
  :: c[_pid] != I -> c[_pid] = I
  od
}
