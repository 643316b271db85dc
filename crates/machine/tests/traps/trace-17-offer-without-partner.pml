// S offers its rendezvous while R has not yet received; the offer finds no partner, and no message passes.
// ours: states=6 transitions=6 atomic=0 depth=6 errors=0
// because: SPIN's verifier counts the offer as a send, though nobody takes it
mtype = { a, b };
chan q = [1] of { mtype };
chan r = [0] of { mtype };
active proctype S() { q!a; r!b }
active proctype R() { q?a; r?b }
trace { q!a; q?a; r!b; r?b }
