// safety violated
// The same where the process that has the number is there first.
chan g; bool ready;
proctype Owner() { chan own = [1] of { byte }; g = own }
proctype Late() { chan mine = [1] of { byte }; ready = true; end: mine?1; assert(false) }
proctype User(chan c) { ready; c!1 }
init { run Owner(); _nr_pr == 1; run User(g); run Late() }
