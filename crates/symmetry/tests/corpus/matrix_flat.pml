/* order: 6
   A matrix in one array, indexed by i * 3 + j. */
bit m[9];
active [3] proctype p() {
  byte other = 9;
  do
  :: if :: other = 0 :: other = 1 :: other = 2 fi;
     m[_pid * 3 + other] = 1;
     if :: m[other * 3 + _pid] -> m[other * 3 + _pid] = 0 :: else fi;
     other = 9
  od
}
