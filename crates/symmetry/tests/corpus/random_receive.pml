/* order: 24
   Everybody picks its own messages out of one channel. */
chan pool = [4] of { byte, bit };
active [4] proctype p() {
  bit b;
  do
  :: pool!_pid, 0
  :: pool??eval(_pid), b -> b = 0
  :: pool??[eval(_pid), 1] -> pool??eval(_pid), 1
  od
}
