/* order: 120
   Independent sets of the Petersen graph: S5, which acts on the vertices as on pairs of five. */
bit v[10];
proctype N(byte id; byte a; byte b; byte c) {
  do
  :: atomic { v[id] == 0 && v[a] == 0 && v[b] == 0 && v[c] == 0 -> v[id] = 1 }
  :: v[id] == 1 -> v[id] = 0
  od
}
init {
  atomic {
    run N(0, 1, 4, 5); run N(1, 0, 2, 6); run N(2, 1, 3, 7); run N(3, 2, 4, 8); run N(4, 3, 0, 9);
    run N(5, 0, 7, 8); run N(6, 1, 8, 9); run N(7, 2, 9, 5); run N(8, 3, 5, 6); run N(9, 4, 6, 7)
  }
}
