/* order: 6
   The bakery's ticket: one more than the largest, found by a loop in d_step. */
#define N 3
byte ticket[N]; byte inside;
active [N] proctype p() {
  byte k, most;
  do
  :: d_step { most = 0; k = 0; do :: k < N -> if :: ticket[k] > most -> most = ticket[k] :: else fi; k++ :: else -> break od; k = 0 };
     most < 3;
     ticket[_pid] = most + 1;
     most = 0;
     ticket[_pid] = 0
  od
}
