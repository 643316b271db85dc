// `c_track`: memory outside the state that is saved and restored with it.
c_decl { int counter = 3; struct { char name[4]; short n; } record = { "abc", 1 }; }
c_track "&counter" "sizeof(int)"
c_track "&record" "sizeof(record)" "Matched"
active [2] proctype P() {
  do
  :: c_expr { counter < 6 } -> c_code { counter++; record.n ^= 1; record.name[0] = 'a' + counter % 3; }
  :: c_expr { counter >= 6 } -> break
  od
}
