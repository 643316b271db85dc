// Only the channels that are named are watched.
chan q = [1] of { byte }; chan r = [1] of { byte };
active proctype P() { r!5; q!1; r!6; q!2 }
active proctype Q() { byte x; do :: q?x :: r?x :: timeout -> break od }
trace { q!1; q!2 }
