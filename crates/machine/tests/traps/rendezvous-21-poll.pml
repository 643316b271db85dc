// Polling a rendezvous channel is an error.
// ours: states=1 transitions=1 atomic=0 depth=0 errors=1 1:errortopollrendezvous@0
// because: SPIN reports it and goes on as if the answer were no; a wrong question has no answer
// automata: SPIN gives up before it lists them
chan q = [0] of { byte };
byte x;
active proctype Q() { if :: q?[1] -> x = 1 :: else -> x = 2 fi }
