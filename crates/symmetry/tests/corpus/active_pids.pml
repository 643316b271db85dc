/* order: 120
   active [N], ids are _pid, a set of holders as cells. */
#define N 5
bit busy[N];
byte count;
active [N] proctype p() {
  do
  :: atomic { count < 2 -> count++; busy[_pid] = 1 };
     assert(busy[_pid]);
     atomic { count--; busy[_pid] = 0 }
  od
}
