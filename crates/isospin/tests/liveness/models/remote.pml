/* expect k3 holds holds */
/* expect busy holds holds */
/* expect idle holds holds */
/* expect g2 holds holds */
/* expect low holds holds */
/* expect qend violated holds */
byte g;
active proctype P() { byte k; idle: do :: k < 3 -> k++; busy: g = k :: k == 3 -> k = 0 od }
active proctype Q() { end: do :: g == 2 -> g = 0 od }
ltl k3 { [] <> (P:k == 3) }
ltl busy { [] <> P@busy }
ltl idle { [] (P@busy -> <> P@idle) }
ltl g2 { [] (g == 2 -> <> (g != 2)) }
ltl low { [] (P:k <= 3) }
ltl qend { [] <> Q@end }
