// safety violated
// A channel of a process gets about by message, and is gone when its process has ended.
chan hall = [1] of { chan };
proctype Owner() { chan own = [1] of { byte }; hall!own }
active proctype User() { chan c; run Owner(); hall?c; c!1; assert(false) }
