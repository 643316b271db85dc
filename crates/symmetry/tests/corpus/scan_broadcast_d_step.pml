/* order: 6
   A broadcast to all mailboxes by a loop in d_step. */
#define N 3
chan box[N] = [1] of { byte };
active [N] proctype p() {
  byte i, from = N;
  do
  :: d_step { empty(box[0]) && empty(box[1]) && empty(box[2]) -> i = 0; do :: i < N -> box[i]!_pid; i++ :: i >= N -> break od; i = 0 }
  :: box[_pid]?from -> from = N
  od
}
