/* order: 18
   Tokens in two rings of three, one of which may be put down while the other one is: C3 wr S2. */
byte token[2] = 9;
proctype N(byte r; byte id) {
  do
  :: atomic { token[r] == id -> token[r] = (id + 1) % 3 }
  :: atomic { token[r] == 9 -> token[r] = id }
  :: atomic { token[r] == id && token[1 - r] == 9 -> token[r] = 9 }
  od
}
init { atomic { run N(0, 0); run N(0, 1); run N(0, 2); run N(1, 0); run N(1, 1); run N(1, 2) } }
