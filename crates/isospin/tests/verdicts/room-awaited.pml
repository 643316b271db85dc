// safety violated
// Whoever waits for room must not be overtaken only by those who make room.
chan c = [1] of { byte }; bool made;
active proctype A() { c!1; nfull(c); assert(made) }
active proctype B() { byte m; c?m; made = true }
