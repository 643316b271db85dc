/* order: 6
   State machines by labels and goto. */
bit req[3]; byte grant = 3;
active [3] proctype p() {
idle: req[_pid] = 1; goto waiting;
waiting: if :: grant == _pid -> goto critical fi;
critical: req[_pid] = 0; grant = 3; goto idle
}
active proctype arbiter() {
  do :: atomic { grant == 3 -> if :: req[0] -> grant = 0 :: req[1] -> grant = 1 :: req[2] -> grant = 2 :: else fi } od
}
