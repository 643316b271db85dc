/* order: 8
 * Nodes of a square grow parents towards a root chosen at will; symmetries of the square. */
#define N 4
byte parent[N] = 9; byte root = 9;
#define JOIN(d) :: atomic { parent[_pid] == 9 && parent[(_pid + d) % N] != 9 -> parent[_pid] = (_pid + d) % N }
active [N] proctype Node() {
  do
  :: atomic { root == 9 -> root = _pid; parent[_pid] = _pid }
  JOIN(1)
  JOIN(3)
  :: atomic { root == _pid && parent[0] != 9 && parent[1] != 9 && parent[2] != 9 && parent[3] != 9 -> parent[0] = 9; parent[1] = 9; parent[2] = 9; parent[3] = 9; root = 9 }
  od
}
