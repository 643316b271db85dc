// Tracked memory that follows a global.
c_decl { int outside; }
c_track "&outside" "sizeof(int)"
byte x;
active [2] proctype P() {
  do
  :: c_expr { now.x < 3 } -> c_code { now.x++; outside += 2; }
  :: else -> break
  od;
  assert(c_expr { outside == 2 * now.x })
}
