// An index that an earlier field sets: the new value counts.
// ours: states=8 transitions=8 atomic=0 depth=4 errors=0
// because: SPIN stores like that too, but when it takes the step back it restores the wrong element
chan q = [1] of { byte, byte };
byte x, a[3];
active proctype P() { q!2,7; if :: q?x,a[x] -> assert(a[2] == 7) :: q?2,7 -> assert(a[2] == 0) fi }
