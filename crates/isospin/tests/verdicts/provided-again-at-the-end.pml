// safety violated
int g;
chan r = [0] of { byte, byte };
active proctype A() {
	r!1,1;
	g = 2;
	g = 1
}
/* Whoever receives closes the gate for both. It can disappear while the gate is open for a moment. */
active [2] proctype B() provided (g != 1) {
	byte l;
	r?l,g
}
