// safety violated
// The trace tells the messages of equal processes apart.
chan c = [2] of { byte };
trace { c!0; c!1 }
active [2] proctype P() { c!_pid }
