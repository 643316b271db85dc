/* order: 5 */
#define N 5
bit fork[N];
active [N] proctype philosopher() {
  do
  :: atomic { fork[_pid] == 0 -> fork[_pid] = 1 };
     atomic { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };
     fork[_pid] = 0; fork[(_pid + 1) % N] = 0
  od
}
