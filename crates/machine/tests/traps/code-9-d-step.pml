// C inside `d_step` and `atomic`, as guard and as step.
int x; byte y;
active [2] proctype P() {
  d_step { c_expr { now.x < 4 }; c_code { now.x++; }; y = x; c_code { now.y += now.x; } };
  atomic { c_code { now.x += 2; }; if :: c_expr { now.x > 3 } -> y++ :: else -> y = 0 fi };
  d_step { x > 0; c_code [now.x < 60] { now.x--; } }
}
