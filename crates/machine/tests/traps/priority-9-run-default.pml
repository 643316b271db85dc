// run without a priority gives 1, whatever the proctype says.
byte x;
proctype Q() priority 6 { x = _priority; assert(x == 1) }
init { run Q() }
