// A field compared with a variable that the same receive sets: its old value counts.
// ours: states=8 transitions=8 atomic=0 depth=4 errors=0
// because: SPIN compares like that too, but when it takes the step back it puts the new value into the message
chan q = [1] of { byte, byte };
byte x = 2;
active proctype P() { q!2,7; if :: q?eval(x),x -> assert(x == 7) :: q?2,7 -> assert(x == 2) fi }
