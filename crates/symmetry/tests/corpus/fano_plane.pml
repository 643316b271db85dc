/* order: 168
   The lines of the Fano plane, of which no three that meet are taken: GL(3, 2). */
byte point[7];
proctype Line(byte a; byte b; byte c) {
  bit on;
  do
  :: atomic { !on && point[a] < 2 && point[b] < 2 && point[c] < 2 -> point[a]++; point[b]++; point[c]++; on = 1 }
  :: atomic { on -> point[a]--; point[b]--; point[c]--; on = 0 }
  od
}
init {
  atomic {
    run Line(0, 1, 2); run Line(0, 3, 4); run Line(0, 5, 6); run Line(1, 3, 5);
    run Line(1, 4, 6); run Line(2, 3, 6); run Line(2, 4, 5)
  }
}
