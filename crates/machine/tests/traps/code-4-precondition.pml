// `c_code [e] {...}`: an error when e is false, and the step is not taken.
byte x;
active [2] proctype P() { do :: c_code [now.x < 3] { now.x++; } od }
