/* Processes hand tokens to each other by pid; the tokens themselves are values that are only copied and compared. */
mtype = { red, green, blue };
chan box[3] = [1] of { pid, mtype };
mtype seen[3];

active [3] proctype p() {
  pid from = _pid;
  mtype colour;
  do
  :: if :: colour = red :: colour = green :: colour = blue fi;
     if
     :: _pid != 0 -> box[0]!_pid, colour
     :: _pid != 1 -> box[1]!_pid, colour
     :: _pid != 2 -> box[2]!_pid, colour
     fi
  :: box[_pid]?from, colour ->
     assert(from != _pid);
     seen[from] = colour;
     from = _pid
  od
}
