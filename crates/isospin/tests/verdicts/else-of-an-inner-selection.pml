// safety violated
// The `else` of an inner selection does not ask about the options behind it.
bool g0;
active [2] proctype P0() {
  byte l0;
  bit l1;
  byte i;
  for (i : 0 .. 2) {
    g0 = (g0 + 1) % 2;
    skip
  };
  if
  :: do
      :: else;
          l0 < 1
      :: g0 != 0;
          break
      od
  :: l0 != 1;
      L0: assert(l0 != 0)
  fi;
  l0 = (l0 + 1) % 2;
  skip;
  goto L0
}
