// `c_expr` is a guard, a value and an assertion.
int x; byte y;
active proctype P() {
  do
  :: c_expr { now.x < 3 } -> x++
  :: else -> break
  od;
  y = c_expr { now.x * now.x } + 1;
  if :: c_expr { now.y == 10 } && y == 10 -> skip :: else -> assert(y == 100 || y == 10) fi
}
active proctype Q() { c_expr { now.x == 2 } -> y = 100 }
