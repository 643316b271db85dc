// A jump inside an atomic that comes later in the text still counts as part of it for what comes before.
bool g;
active proctype P() { do :: atomic { skip; goto L1 } :: g -> break od; L0: g = 1; atomic { skip; L1: goto L0; skip } }
