/* order: 24
   Lost messages are sent again on timeout. */
chan q[4] = [1] of { bit };
active [4] proctype s() { do :: q[_pid]!1 :: q[_pid]?_ :: q[_pid]?_ -> skip :: timeout -> skip od }
