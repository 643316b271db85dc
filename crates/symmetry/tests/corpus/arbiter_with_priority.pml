/* order: 1
   The arbiter prefers smaller ids. */
bit req[3]; byte grant = 3;
active [3] proctype p() { do :: req[_pid] = 1; grant == _pid; req[_pid] = 0; grant = 3 od }
active proctype arbiter() {
  do :: atomic { grant == 3 -> if :: req[0] -> grant = 0 :: else -> if :: req[1] -> grant = 1 :: else -> if :: req[2] -> grant = 2 :: else fi fi fi } od
}
