// A channel variable that holds no channel.
// ours: states=1 transitions=1 atomic=0 depth=0 errors=1 1:reftouninitializedchanname@0
// because: SPIN reports the one mistake more than once and goes on with channel 0
chan c; chan d = [1] of { byte };
active proctype P() { c!1; d!1 }
