// `c_expr` is a guard, a value and an assertion.
int x; byte y;
active proctype P() {
  do
  :: c_expr { now.x < 3 } -> x++
  :: else -> break
  od;
  y = c_expr { now.x * now.x } + 1;
  assert(c_expr { now.y == 10 } && y == 10)
}
active proctype Q() { c_expr { now.x == 2 } -> y = 100 }
