// A jump with an end label: the label gets a step of its own.
byte x;
active proctype P() {
L:      x == 0 -> x = 1;
        end: goto M;
M:      x == 0 -> goto L
}
