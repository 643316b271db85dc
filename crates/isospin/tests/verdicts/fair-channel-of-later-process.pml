// safety holds; p violated
// Weak fairness
// A process that is created later uses the channel, too: the first sender may wait for ever, as the channel is not full all the time.
chan c = [1] of { byte }; bool done;
proctype N() { do :: c!2 od }
active proctype A() { c!1; run N(); c!3; done = true }
active proctype R() { do :: c?_ od }
ltl p { <> done }
