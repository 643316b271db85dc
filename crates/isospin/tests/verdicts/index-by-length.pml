// safety violated
// Which element is meant depends on how full a channel is.
chan c = [2] of { bit }; bool in[3];
active proctype P() { in[len(c)] = 1; in[0] = 0; in[1] = 0 }
active proctype Q() { c!1; assert(!in[1]) }
