/* order: 6
   Processes wait until all have started; none ends. */
byte n;
active [3] proctype p() { (_nr_pr == 3); do :: n++; n-- od }
