// A remote reference to a label of a process that is defined further down. SPIN knows a proctype only below its definition; isospin everywhere.
// $ spin -a forward_label.pml
// exit 1
// prints undeclared variable: Server
// $ isospin verify forward_label.pml
// exit 0
// prints safety holds
bool seen;
active proctype Monitor() { if :: Server@ready -> seen = true :: else fi }
active proctype Server() { ready: skip }
