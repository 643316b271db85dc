// Division by zero. SPIN's verifier crashes without a report; in isospin it is an error like any other, with a counterexample.
// $ spin -run division.pml
// lacks errors:
// $ isospin verify division.pml
// exit 1
// prints division by zero
byte x = 1, y;
active proctype P() {
	do
	:: x > 0 -> x--
	:: else -> break
	od;
	y = 10 / x
}
