// A jump to the selection it stands in.
byte x;
active proctype P() {
L:      if
        :: x < 2 -> x++; goto L
        :: x > 0 -> goto L
        :: x == 2 -> skip
        fi
}
