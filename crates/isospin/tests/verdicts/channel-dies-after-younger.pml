// safety violated
// A channel is gone only when a younger process than its owner has ended, too.
chan hall = [1] of { chan }; bool go;
proctype Owner() { chan own = [1] of { byte }; hall!own }
proctype Young() { go }
init { chan c; run Owner(); run Young(); hall?c; go = true; c!1 }
