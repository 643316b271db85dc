// safety violated
// The channel is known to one process by name, to the other by a variable.
chan c = [1] of { byte };
proctype V(chan v) { if :: full(v) -> assert(false) :: else fi }
active proctype W() { c!1 }
init { run V(c) }
