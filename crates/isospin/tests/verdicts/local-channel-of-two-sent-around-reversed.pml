// safety violated
chan hall = [1] of { chan };
active proctype A() {
  chan a = [1] of { byte }; chan b = [1] of { byte };
  hall!a;
  if :: nempty(a) :: empty(a) -> assert(false) fi
}
active proctype B() {
  chan x = [1] of { byte }; chan y = [1] of { byte }; chan c;
  hall?c; c!1
}
