/* order: 1 */
#define N 4
chan c[N] = [1] of { bit };
proctype node(byte id) { do :: c[id]?_; c[(id + 1) % N]!1 od }
init { atomic { run node(0); run node(1); run node(2); run node(3); c[0]!1 } }
