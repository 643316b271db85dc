// A trace that every run follows.
mtype = { ask, answer };
chan q = [1] of { mtype }; chan r = [1] of { mtype };
active proctype Client() { byte k; do :: k < 3 -> q!ask; r?answer; k++ :: else -> break od }
active proctype Server() { end: do :: q?ask -> r!answer od }
trace { end: do :: q!ask -> r!answer od }
