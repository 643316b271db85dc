// Two labels on a jump, the second with a meaning: the first gets the step, and the meaning is lost.
byte x;
active proctype P() {
        do
        :: x < 3 -> x++; L: end: goto M
        od;
M:      x == 7 -> goto L
}
