// Each channel of an array is a channel of its own.
chan q[2] = [1] of { byte };
active proctype P() { byte i; do :: i < 2 -> q[i]!i; i++ :: else -> break od; q[1]!7 }
active proctype Q() { byte x; q[0]?x; q[1]?x; q[1]?x }
trace { q[0]!0; q[1]!1; q[1]!8 }
