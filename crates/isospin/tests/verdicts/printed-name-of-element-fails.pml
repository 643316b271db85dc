// safety violated
// The same for the name of a value.
mtype = { red, green }; mtype a[2]; byte i;
active proctype P() { i = 2; printm(a[i]) }
