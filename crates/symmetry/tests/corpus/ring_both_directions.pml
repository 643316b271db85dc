/* order: 10 */
#define N 5
bit on[N];
active [N] proctype node() {
  do
  :: on[(_pid + 1) % N] == 0 && on[(_pid + N - 1) % N] == 0 -> on[_pid] = 1
  :: on[_pid] = 0
  od
}
