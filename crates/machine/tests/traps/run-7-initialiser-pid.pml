// Initial values may use _pid.
proctype P() { byte b = _pid; assert(b == 1) }
init { run P() }
