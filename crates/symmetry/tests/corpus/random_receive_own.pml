/* order: 6 */
chan pool = [3] of { byte, bit };
active [3] proctype p() { bit x; do :: pool!_pid, 1 :: pool??eval(_pid), x od }
