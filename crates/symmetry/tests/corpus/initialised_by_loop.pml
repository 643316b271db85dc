/* order: 120
   d_step in init fills the arrays with the sentinel before processes start. */
#define N 5
byte parent[N]; byte owner;
proctype p(byte id) { do :: parent[id] == N -> parent[id] = id; owner = id :: parent[id] == id -> parent[id] = N; owner = N od }
init { byte i; d_step { for (i : 0 .. N - 1) { parent[i] = N } owner = N; i = 0 } atomic { for (i : 0 .. N - 1) { run p(i) } } }
