/* order: 4
   Nodes of a ring send their own channel to the next one, which answers there. */
chan c[4] = [1] of { chan, byte };
chan start = [1] of { byte };
proctype N(byte id) {
  chan x;
  byte hops;
  do
  :: start?hops -> c[(id + 1) % 4]!c[id],0
  :: c[id]?x,hops -> if :: hops < 2 -> x!c[id],hops + 1 :: else -> start!0 fi
  od
}
init { atomic { run N(0); run N(1); run N(2); run N(3); start!0 } }
