/* order: 128
   Two by two by two: S2 wr S2 wr S2. Partners go together only where nobody else of their half does. */
bit leaf[8];
byte pair[4], half[2];
proctype P(byte i; byte j; byte k) {
  do
  :: atomic { leaf[i] == 0 && (pair[j] == 0 || half[k] == 1) -> leaf[i] = 1; pair[j]++; half[k]++ }
  :: atomic { leaf[i] == 1 -> leaf[i] = 0; pair[j]--; half[k]-- }
  od
}
init {
  atomic {
    run P(0, 0, 0); run P(1, 0, 0); run P(2, 1, 0); run P(3, 1, 0);
    run P(4, 2, 1); run P(5, 2, 1); run P(6, 3, 1); run P(7, 3, 1)
  }
}
