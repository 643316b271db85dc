/* order: 48 */
bit on[8];
byte near[24] = { 1, 2, 4, 0, 3, 5, 3, 0, 6, 2, 1, 7, 5, 6, 0, 4, 7, 1, 7, 4, 2, 6, 5, 3 };
active [8] proctype node() {
  do
  :: !on[near[3 * _pid]] && !on[near[3 * _pid + 1]] && !on[near[3 * _pid + 2]] -> on[_pid] = 1
  :: on[_pid] = 0
  od
}
