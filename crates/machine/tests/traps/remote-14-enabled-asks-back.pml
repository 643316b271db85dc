// What a process can do depends on what another can do, and the other way round.
// ours: states=1 transitions=1 atomic=0 depth=0 errors=2 1:enabled()asksaboutaprocessthatasksback:neithercanbeansweredfirst@0
// because: SPIN's verifier runs out of stack
byte n;
active [2] proctype P() { do :: enabled(1 - _pid) -> n = 1 - n od }
