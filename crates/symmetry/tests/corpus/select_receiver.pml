/* order: 6
   select chooses a receiver: SPIN counts up step by step, but the counter is forgotten. */
chan q[3] = [1] of { byte };
active [3] proctype p() {
  byte to = 9, from = 9;
  do
  :: atomic { select (to : 0 .. 2); q[to]!_pid; to = 9 }
  :: q[_pid]?from -> from = 9
  od
}
