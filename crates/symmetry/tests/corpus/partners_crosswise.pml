/* order: 6
   Two kinds of processes, created alternately, whose partners come in another order. */
byte v[6];
proctype A(byte id; byte other) {
  do
  :: atomic { v[id] != 2 -> v[id]++ }
  :: atomic { v[id] == 2 && v[other] == 1 -> v[id] = 0; v[other] = 0 }
  od
}
proctype B(byte id; byte other) { do :: atomic { v[id] == 0 && v[other] == 1 -> v[id] = 1 } od }
init { atomic { run A(0, 4); run B(1, 2); run A(2, 1); run A(3, 5); run B(4, 0); run B(5, 3) } }
