// A channel sent over a channel.
chan meta = [1] of { chan };
byte x;
active proctype P() { chan own = [1] of { byte }; meta!own; own?x; assert(x == 4) }
active proctype Q() { chan c; meta?c; c!4 }
