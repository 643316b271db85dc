/* order: 5
   A ring of ids 1..n: next is (x % n) + 1. */
#define N 5
chan link[N + 1] = [1] of { bit };
byte holder;
proctype node(byte id) {
  do
  :: link[id]?_ -> holder = id; holder = 0; link[(id % N) + 1]!1
  :: atomic { holder == 0 && empty(link[id]) -> link[id]!0 }
  od
}
init { atomic { byte i; for (i : 1 .. N) { run node(i) } } }
