/* order: 3 */
chan a = [1] of { bit }; chan b = [1] of { bit }; chan c = [1] of { bit };
proctype node(chan left; chan right) { bit x; right!0; do :: left?x; right!1 - x od }
init { atomic { run node(a, b); run node(b, c); run node(c, a) } }
