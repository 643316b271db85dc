// A send with too few fields.
// ours: states=1 transitions=1 atomic=0 depth=0 errors=1 1:toofewparametersinsend@0
// because: SPIN sends zeros for the rest after reporting it
chan q = [1] of { byte, byte };
active proctype P() { q!1 }
