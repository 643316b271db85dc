// Taking back a receive into a narrow variable must bring back the whole message.
// ours: states=9 transitions=9 atomic=0 depth=5 errors=0
// because: SPIN puts the message together from the variable it went to, which has lost bits
chan q = [1] of { byte };
bit b; byte x;
active proctype P() { q!2 }
active proctype Q() { if :: q?b :: q?2 -> x = 1 fi }
