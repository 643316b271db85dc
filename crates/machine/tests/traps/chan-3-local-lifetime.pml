// A local channel is gone with its process; SPIN gives up at its use.
chan out = [1] of { chan };
proctype P() { chan c = [1] of { byte }; out!c }
init { chan d; run P(); out?d; (_nr_pr == 1); d!1 }
