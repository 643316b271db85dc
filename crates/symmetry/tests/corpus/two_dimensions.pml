/* order: 6
   A matrix through a typedef: seen[i].by[j]. */
typedef Row { bit by[3] };
Row seen[3];
active [3] proctype p() {
  byte other = 9;
  do
  :: if :: other = 0 :: other = 1 :: other = 2 fi;
     seen[_pid].by[other] = 1;
     if :: seen[other].by[_pid] -> seen[other].by[_pid] = 0 :: else fi;
     other = 9
  od
}
