// A `hidden` structure, written and read in `atomic`.
typedef T { byte a[2]; bit b };
hidden T h; byte x;
active [2] proctype P() { atomic { h.a[_pid] = x + 1; h.b = !h.b; x = (h.a[_pid] + h.b) % 5 }; if :: x > 2 -> x = 0 :: else fi }
