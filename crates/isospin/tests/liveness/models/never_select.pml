/* expect never holds holds */
byte x;

active proctype P() { do :: x = 1 - x od }

never {
	byte n = 3;
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
