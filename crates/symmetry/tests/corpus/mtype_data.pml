/* order: 6 */
mtype = { red, green, blue };
chan c = [1] of { mtype };
active proctype sender() { mtype x; do :: if :: x = red :: x = green :: x = blue fi; c!x od }
active proctype receiver() { mtype a, b; c?b; do :: c?a; if :: a == b -> skip :: else -> b = a fi od }
