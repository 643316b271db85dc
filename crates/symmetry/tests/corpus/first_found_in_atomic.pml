/* order: 6
   Whether any flag is set: the loop ends at the first one. */
#define N 3
bit flag[N];
active [N] proctype p() {
  byte k; bit found;
  do
  :: flag[_pid] = 1 - flag[_pid]
  :: atomic {
       k = 0; found = 0;
       do
       :: k < N -> if :: flag[k] -> found = 1; break :: else -> k++ fi
       :: else -> break
       od;
       k = 0
     }
     if :: found -> found = 0; flag[_pid] = 0 :: else fi
  od
}
