/* order: 2
   Two parents, each starts its own child; the root starts the parents. */
bit done[2];
byte n;
proctype child(byte id) { do :: done[id] = 1 - done[id] :: n++; n-- od }
proctype parent(byte id) { run child(id); do :: done[id] -> done[id] = 0 od }
init { atomic { run parent(0); run parent(1) } }
