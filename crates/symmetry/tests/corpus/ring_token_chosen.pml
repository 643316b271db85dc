/* order: 4 */
#define N 4
chan c[N] = [1] of { bit };
proctype node(byte id) { do :: c[id]?_; c[(id + 1) % N]!1 od }
init { byte i; atomic { for (i : 0 .. N - 1) { run node(i) } if :: c[0]!1 :: c[1]!1 :: c[2]!1 :: c[3]!1 fi } }
