/* order: 8
   Partners: id ^ 1. */
bit f[4];
active [4] proctype p() { do :: f[_pid] = 1 - f[_pid]; (f[_pid ^ 1] == 0) od }
