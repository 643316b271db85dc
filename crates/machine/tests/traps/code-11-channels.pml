// A channel variable is a number in C; copying it gives another name to the channel.
chan q = [2] of { byte }; chan r = [2] of { byte }; chan p; byte x; byte n;
active proctype P() {
  c_code { now.p = now.r; };
  p!3; r?x; assert(x == 3);
  c_code { now.q = now.p; };
  q!4; n = len(r); assert(n == 1)
}
active proctype Q() { byte y; do :: r?y :: q?y :: timeout -> break od }
