/* expect p violated violated */
/* expect q violated violated */
/* In a rendezvous both processes move: a run in which P only ever receives is fair to P. But nothing is owed to a receiver
 * that could be served and is not: a run in which S never sends is fair, too. */
chan c = [0] of { bit };
chan d = [0] of { bit };
bit went, got, toggled;
active proctype P() { do :: c?_ :: went = 1 od }
active proctype Q() { do :: c!1 od }
active proctype R() { do :: d?_ -> got = 1 od }
active proctype S() { do :: d!1 :: toggled = 1 - toggled od }
ltl p { <> (went == 1) }
ltl q { <> (got == 1) }
