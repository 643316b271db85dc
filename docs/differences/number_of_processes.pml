// `_nr_pr` in a model with a claim. To SPIN the claim is one of the processes, so that `_nr_pr` is one more when it is verified with one; to isospin it is
// not, and `_nr_pr` is the same whatever is verified.
// $ spin -run number_of_processes.pml
// prints end state in claim reached
// $ isospin verify number_of_processes.pml
// exit 0
// prints never_0 holds
active proctype P() { skip; skip }
never {
	do
	:: _nr_pr == 2 -> break
	:: else
	od
}
