/* order: 2
   Inside of an `atomic`: the inner `else` comes before a way that is always free, and may be taken all the same. */
byte x[2], g;

active [2] proctype P() {
	do
	:: atomic {
			g = 1 - g;
			if
			:: do
				:: g == 0; break
				:: else; x[_pid] = 2; break
				od
			:: x[_pid] = 1
			fi
		}
	od
}
