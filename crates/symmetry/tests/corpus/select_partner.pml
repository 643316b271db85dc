/* order: 24, kept: 6 */
#define N 4
chan q[N] = [1] of { byte };
active [N] proctype p() {
  byte to, from;
  do
  :: select (to : 0 .. 3); if :: to != _pid -> q[to]!_pid :: else fi
  :: q[_pid]?from
  od
}
