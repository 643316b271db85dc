/* order: 6 */
#define N 3
chan in[N] = [1] of { bit };
active [N] proctype p() {
  byte j;
  do
  :: atomic { (empty(in[0]) && empty(in[1]) && empty(in[2])) -> j = 0; do :: j < N -> in[j]!1; j++ :: else -> break od }
  :: in[_pid]?_
  od
}
