/* order: 6, processes: 720
   Both options change a cell to its other value, so that the neighbour does not matter after all.
   A ring of ids 0..n-1 that looks at (id + n - 1) % n. */
#define N 6
byte value[N];
proctype node(byte id) {
  do
  :: atomic { value[id] != value[(id + N - 1) % N] -> value[id] = value[(id + N - 1) % N] }
  :: atomic { value[id] == value[(id + N - 1) % N] -> value[id] = 1 - value[id] }
  od
}
init { atomic { byte i = 0; do :: i < N -> run node(i); i++ :: else -> break od } }
