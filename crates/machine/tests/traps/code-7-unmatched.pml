// `c_track` with "UnMatched": restored when the search goes back, but no two states differ by it.
c_decl { int visits; }
c_track "&visits" "sizeof(int)" "UnMatched"
byte x;
active [2] proctype P() {
  byte k;
  do
  :: k < 2 -> c_code { visits++; now.x = (now.x + 1) % 3; }; k++
  :: else -> break
  od
}
