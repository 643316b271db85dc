/* order: 6
   A set of processes as a bit mask, set and cleared by each for itself.
   The mask is a number whose bits are moved: not followed; true order 6. */
byte mask;
active [3] proctype p() {
  do
  :: mask = mask | (1 << _pid)
  :: mask = mask & ~(1 << _pid)
  od
}
