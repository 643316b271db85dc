// run with a priority.
byte x;
proctype Q() { x = _priority; assert(x == 3) }
init { run Q() priority 3; x = 9 }
