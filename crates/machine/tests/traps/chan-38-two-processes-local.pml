// Every process has its own local channel.
active [2] proctype P() { chan c = [1] of { byte }; byte x; c!_pid; c?x; assert(x == _pid) }
