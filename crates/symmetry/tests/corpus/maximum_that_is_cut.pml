/* order: 1
   The maximum is kept in a bit: of 2 nothing is left, so it depends on the order what comes out. */
byte v[3];
bit most;
proctype P(byte id) {
  byte i = 9;
  do
  :: atomic { v[id] < 3 -> v[id]++ }
  :: d_step { most = 0; for (i : 0 .. 2) { if :: v[i] > most -> most = v[i] :: else fi }; i = 9 }
  :: atomic { most == 1 && v[id] == 2 -> v[id] = 0 }
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
