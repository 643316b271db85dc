/* order: 3 */
#define N 3
bit value[N];
active [N] proctype p() { do :: if :: value[_pid] = 0 :: value[_pid] = 1 fi; value[_pid] == value[(_pid + 2) % N] od }
