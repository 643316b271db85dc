/* order: 24
   The six edges between four points, of which no three that meet are taken: S4 on pairs. */
byte degree[4];
proctype Edge(byte a; byte b) {
  bit on;
  do
  :: atomic { !on && degree[a] < 2 && degree[b] < 2 -> degree[a]++; degree[b]++; on = 1 }
  :: atomic { on -> degree[a]--; degree[b]--; on = 0 }
  od
}
init { atomic { run Edge(0, 1); run Edge(0, 2); run Edge(0, 3); run Edge(1, 2); run Edge(1, 3); run Edge(2, 3) } }
