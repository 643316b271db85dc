/* order: 24
   Channels inside of structures. */
typedef Port { chan in = [1] of { byte }; byte load };
Port port[4];
proctype node(byte id) { byte v = 99, k = 99; do :: if :: k = 0 :: k = 1 :: k = 2 :: k = 3 fi; port[k].in!id; port[k].load = 1; k = 99 :: port[id].in?v -> port[id].load = 0; v = 99 od }
init { atomic { run node(0); run node(1); run node(2); run node(3) } }
