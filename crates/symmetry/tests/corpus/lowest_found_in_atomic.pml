/* order: 1
   Which flag is set first: the smallest id wins, so that ids are ordered. */
#define N 3
bit flag[N]; byte who = N;
active [N] proctype p() {
  byte k;
  do
  :: flag[_pid] = 1 - flag[_pid]
  :: atomic {
       k = 0;
       do
       :: k < N -> if :: flag[k] -> break :: else -> k++ fi
       :: else -> break
       od;
       who = k;
       k = 0
     }
  od
}
