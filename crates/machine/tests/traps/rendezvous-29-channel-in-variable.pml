// The partner holds the channel in a variable.
chan q = [0] of { byte };
byte x;
proctype Q(chan c) { c?x; assert(x == 7) }
init { run Q(q); q!7 }
