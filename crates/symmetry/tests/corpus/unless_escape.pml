/* order: 6
   A reset interrupts all work. */
bit reset; byte work[3];
active [3] proctype p() {
again:
  { do :: work[_pid] = 1; work[_pid] = 2; work[_pid] = 0 od } unless { reset -> work[_pid] = 0 };
  !reset;
  goto again
}
active proctype r() { do :: reset = 1; reset = 0 od }
