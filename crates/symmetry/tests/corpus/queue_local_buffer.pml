/* order: 2
   `prev` is compared before it is set, and names process 0. */
chan q = [1] of { byte };
active [3] proctype p() { do :: q!_pid od }
active proctype s() { byte last, prev; do :: q?last; if :: last == prev -> skip :: else -> prev = last fi od }
