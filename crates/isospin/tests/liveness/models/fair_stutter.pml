/* expect accept violated holds SPIN violated violated */
/* Fair runs come to rest away from the label. SPIN reports an accept stutter there. */
bit g, h;
bit a[4];
chan c = [2] of { bit };
active [2] proctype P() { bit l; goto accept_0;
accept_0: if :: nempty(c) -> c?<l> -> goto L1 :: c!l -> goto accept_0 :: atomic { g == 0 -> g = 1; l = 1 - l } -> goto accept_0 fi;
L1: if :: a[_pid] == 1 -> goto accept_0 :: l == 1 -> goto L1 fi;
}
