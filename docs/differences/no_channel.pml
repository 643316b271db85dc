// `nfull` of a variable that is no channel. SPIN refuses the model; isospin runs it, and the question is a run-time error.
// $ spin -a no_channel.pml
// exit 1
// prints bad channel name 'n'
// $ isospin verify no_channel.pml
// exit 1
// prints holds no channel
byte n;
active proctype P() { nfull(n) -> n = 1 }
