// safety violated
int g;
chan r = [0] of { byte, byte };
active proctype A() {
	r!1,1
}
/* Whoever receives closes the gate for both, so that it stays at its end. */
active [2] proctype B() provided (g != 1) {
	byte l;
	r?l,g
}
