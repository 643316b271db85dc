/* order: 72, kept: 12
 * Two hubs with three leaves each: a wreath product, with one message under way. */
chan up[2] = [1] of { byte }; chan down[6] = [1] of { byte };
byte quiet = 1;
proctype Hub(byte h) { byte l; do :: up[h]?l; if :: down[l]!h :: atomic { up[1 - h]!l } fi od }
proctype Leaf(byte l; byte h) { byte x; do :: atomic { quiet > 0 -> quiet--; up[h]!l } :: atomic { down[l]?x; quiet++; x = 0 } od }
init { atomic { run Hub(0); run Hub(1); run Leaf(0,0); run Leaf(1,0); run Leaf(2,0); run Leaf(3,1); run Leaf(4,1); run Leaf(5,1) } }
