// safety violated
// A new process is given the number of a channel that is gone; another channel gets that number.
chan g;
proctype Owner() { chan own = [1] of { byte }; g = own }
proctype Late() { chan mine = [1] of { byte }; end: mine?1; assert(false) }
proctype User(chan c) { c!1 }
init { run Owner(); _nr_pr == 1; run Late(); run User(g) }
