// A process dies only when all younger ones are gone.
byte n;
active proctype P() { skip }
active proctype Q() { n = _nr_pr; assert(n == 2) }
