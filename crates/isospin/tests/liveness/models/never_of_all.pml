/* expect never violated violated */
/* Never claims count steps. Symmetry is used all the same: init comes to its end, but the youngest process does not, so none disappears. */
byte in[3], n;
proctype P(byte id) { do :: atomic { n < 2 -> n++; in[id] = 1 }; atomic { in[id] = 0; n-- } od }
init { atomic { run P(0); run P(1); run P(2) } }
never { do :: true :: in[0] + in[1] + in[2] == 2 -> break od; accept: do :: in[0] + in[1] + in[2] >= 1 od }
