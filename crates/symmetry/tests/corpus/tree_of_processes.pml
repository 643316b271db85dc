/* order: 8
   A binary tree: the parent of i is (i - 1) / 2. */
bit done[7];
active [7] proctype node() {
  do
  :: _pid >= 3 -> done[_pid] = 1
  :: _pid < 3 && done[2 * _pid + 1] && done[2 * _pid + 2] -> atomic { done[_pid] = 1; done[2 * _pid + 1] = 0; done[2 * _pid + 2] = 0 }
  :: _pid == 0 && done[0] -> done[0] = 0
  od
}
