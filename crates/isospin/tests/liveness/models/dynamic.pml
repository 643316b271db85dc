/* expect finish holds holds SPIN violated violated */
/* expect dies holds holds */
/* expect many violated violated SPIN holds holds */
/* expect few holds holds */
/* expect final holds holds SPIN violated holds */
/* SPIN counts the claim as a process: its _nr_pr is one too high here. */
byte alive, born;
proctype W(byte k) { alive++; if :: k > 0 -> born++ :: else fi; alive-- }
init { byte i; do :: i < 3 -> atomic { (_nr_pr < 3) -> run W(i); i++ } :: else -> break od; (_nr_pr == 1) -> born = 9 }
ltl finish { <> (born == 9) }
ltl dies { [] (alive > 0 -> <> (alive == 0)) }
ltl many { [] (alive < 2) }
ltl few { [] (alive < 3) }
ltl final { <> [] (_nr_pr == 0 || born == 9) }
