// safety violated
// Of two channels that a process has, one is known to others. Every process has two.
chan hall = [1] of { chan };
active proctype A() {
  chan a = [1] of { byte }; chan b = [1] of { byte };
  hall!a;
  if :: nempty(a) -> assert(false) :: empty(a) fi
}
active proctype B() {
  chan x = [1] of { byte }; chan y = [1] of { byte }; chan c;
  hall?c; c!1
}
