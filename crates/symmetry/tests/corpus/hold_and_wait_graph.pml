/* order: 48, kept: 4
   Nobody reads what is waited for, so the two others are alike for each process: S2 wr S3. */
byte waits[3] = 255;
active [3] proctype p() { byte other;
  do
  :: if :: other = 0 :: other = 1 :: other = 2 fi;
     if :: other != _pid -> waits[_pid] = other :: else fi;
     waits[_pid] = 255
  od }
