/* order: 6, kept: 2 */
chan q[3] = [1] of { byte };
active [3] proctype p() {
  byte from;
  do
  :: if :: q[0]!_pid :: q[1]!_pid :: q[2]!_pid fi
  :: q[_pid]?from
  od
}
