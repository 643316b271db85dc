/* expect never holds holds */
byte x, n = 3;

active proctype P() { do :: x = 1 - x od }

never {
	do
	:: d_step {
		if
		:: x == 0 -> n = 3
		:: else -> n--
		fi
	   }
	:: n == 1 -> break
	od
}
