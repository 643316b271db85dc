// C changes locals of the executing process, whichever of several it is.
byte sum;
proctype P(byte n) {
  byte x; short y[2];
  c_code { PP->x = PP->n * 2; PP->y[1] = -PP->x; };
  assert(x == n * 2 && y[1] == -x && y[0] == 0);
  c_code { now.sum += PP->x; }
}
init { byte z; c_code { Pinit->z = 7; }; atomic { run P(1); run P(2) }; assert(z == 7); (_nr_pr == 1); assert(sum == 6) }
