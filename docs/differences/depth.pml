// An error 20,000 steps deep. SPIN does not look below 10,000 steps unless -m says so; isospin has no limit unless --max-depth sets one.
// $ spin -run depth.pml
// prints max search depth too small
// prints errors: 0
// $ isospin verify depth.pml
// exit 1
// prints safety violated
// $ isospin verify --max-depth 100 depth.pml
// exit 3
// prints raise --max-depth
int x;
active proctype P() {
	do
	:: x < 20000 -> x++
	:: else -> break
	od;
	assert(x < 20000)
}
