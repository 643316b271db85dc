// safety violated
// Indices that are computed from the number of the process by an operator with one operand.
bool in[2];
active [2] proctype P() { in[!_pid] = 1; in[!_pid] = 0 }
active proctype M() { assert(!(in[0] && in[1])) }
