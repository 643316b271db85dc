// A guard on a `hidden` variable ends a loop for whoever comes first; the state is known before the loop ends.
hidden byte h; byte x;
active proctype P() { do :: h < 3 -> h++ :: h == 3 -> x = 1; break od; assert(x == 0) }
