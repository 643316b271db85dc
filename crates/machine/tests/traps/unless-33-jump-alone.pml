// A jump as the main part of an unless: the escape is never tried.
byte x;
active proctype P() {
L:      x = (x + 1) % 3;
        skip;
        { goto L } unless { x = 7 }
}
