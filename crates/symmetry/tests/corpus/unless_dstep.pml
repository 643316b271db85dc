/* order: 6
 * atomic, d_step and unless together; a global reset interrupts anybody. */
#define N 3
byte level[N]; bool reset; byte held;
active [N] proctype W() {
again:
  {
    do
    :: d_step { level[_pid] < 2 -> level[_pid]++ }
    :: atomic { level[_pid] == 2 && held < 2 -> held++; level[_pid] = 3 }
    :: d_step { level[_pid] == 3 -> held--; level[_pid] = 0 }
    od
  } unless { reset }
  d_step { if :: level[_pid] == 3 -> held-- :: else fi; level[_pid] = 0 };
  !reset;
  goto again
}
active proctype R() { do :: reset = true; reset = false od }
