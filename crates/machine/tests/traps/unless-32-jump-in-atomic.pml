// A jump as the main part of an unless, reached inside an atomic: there is no step to take, and none to escape from.
byte x;
active proctype P() {
L:      x = (x + 1) % 3;
        atomic { skip; { goto L } unless { skip } }
}
