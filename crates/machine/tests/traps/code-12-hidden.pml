// A `hidden` variable is a plain variable of C; so is a `c_state` that is "Hidden".
hidden byte h; byte x;
c_state "int twice" "Hidden" "2"
active proctype P() {
  c_code { h = 5; now.x = h * twice; };
  assert(x == 10 && h == 5)
}
