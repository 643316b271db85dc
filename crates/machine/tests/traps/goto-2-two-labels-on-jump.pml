// Two labels on a jump, the first with a meaning: it alone gets the step.
byte x;
active proctype P() {
        do
        :: x == 3 -> end: L: break
        :: else -> x++
        od;
        if :: x < 5 -> x = 5; goto L :: x == 7 fi
}
