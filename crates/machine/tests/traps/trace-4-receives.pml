// Receives are events of their own; sends on a channel of which only receives are named are none.
chan q = [2] of { byte };
active proctype P() { q!1; q!2; q!1 }
active proctype Q() { byte x; do :: q?x :: timeout -> break od }
trace { q?1; q?2; q?2 }
