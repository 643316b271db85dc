/* order: 48 */
bit on[8];
active [8] proctype node() {
  do
  :: !on[_pid ^ 1] && !on[_pid ^ 2] && !on[_pid ^ 4] -> on[_pid] = 1
  :: on[_pid] = 0
  od
}
