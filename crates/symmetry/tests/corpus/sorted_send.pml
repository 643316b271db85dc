/* order: 1
   Messages are sorted by a kind first and by id after it: sorting by id breaks symmetry. */
mtype = { low, high };
chan q = [3] of { mtype, byte };
active [3] proctype p() { byte who = 9; do :: q!!low, _pid :: q!!high, _pid :: q?_, who -> who = 9 od }
