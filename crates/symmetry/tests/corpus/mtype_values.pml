/* order: 48
   Colours that are only stored and compared are data symmetry: each cell by itself. */
mtype = { red, green };
mtype seen[3];
active [3] proctype p() { do :: if :: seen[_pid] = red :: seen[_pid] = green fi; seen[_pid] = 0 od }
