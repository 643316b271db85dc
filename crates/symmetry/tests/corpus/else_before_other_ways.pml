/* order: 2
   The `else` of a choice within a choice asks about the ways before it, not about `l != 1`. */
bool g;

active [2] proctype P() {
	byte l;
	g = 1 - g;
	if
	:: do
		:: else; l < 1
		:: g != 0; break
		od
	:: l != 1;
L:		skip
	fi;
	l = (l + 1) % 2;
	goto L
}
