// Too many processes end the search at once, in the middle of what an atomic could do.
proctype Q(byte p) { atomic { if :: skip :: skip fi } }
active [2] proctype P() { L: run Q(0); goto L }
