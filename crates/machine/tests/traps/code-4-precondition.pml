// `c_code [e] {...}`: an error when e is false, and the step is not taken.
// ours: states=4 transitions=7 atomic=0 depth=3 errors=2 1:c_codeline5preconditionfalse:now.x<3@3
// because: SPIN goes on as if the step had to wait, and reports a deadlock as well.
byte x;
active [2] proctype P() { do :: c_code [now.x < 3] { now.x++; } od }
