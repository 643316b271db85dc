/* order: 4
   A message with the id of its sender goes round a ring until it is back. */
#define N 4
chan q[N] = [2] of { byte };
active [N] proctype node() {
  byte from = N;
  do
  :: nfull(q[(_pid + 1) % N]) && empty(q[_pid]) -> q[(_pid + 1) % N]!_pid
  :: q[_pid]?from ->
     if :: from == _pid :: else -> q[(_pid + 1) % N]!from fi;
     from = N
  od
}
