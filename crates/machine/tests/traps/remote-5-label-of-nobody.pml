// A process that is not there yet, or gone, is at no label.
proctype P() { skip; L: skip }
active proctype Q() { assert(!P[1]@L); run P(); do :: P[1]@L -> skip :: _nr_pr == 1 -> break od; assert(!P[1]@L) }
