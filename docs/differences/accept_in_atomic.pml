// An accept label inside an atomic. The state that it marks is passed in one go, so a run never is in it: SPIN warns of that, unless the
// label is on the last statement, where it counts. isospin warns in both cases. Put the label before the atomic, or behind it.
// $ spin -run accept_in_atomic.pml
// prints acceptance cycle
// $ isospin check accept_in_atomic.pml
// exit 0
// $ isospin verify accept_in_atomic.pml
// exit 0
// prints acceptance holds
bit x;
active proctype P() {
	do
	:: atomic { x == 0 -> x = 1; accept: x = 0 }
	od
}
