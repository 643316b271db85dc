// A state of 70,000 bytes. SPIN's verifier has to be compiled for it (-DVECTORSZ=N); isospin takes it as it is. But an array of more than 16,777,216
// elements is refused by isospin.
// $ spin -run large_array.pml
// prints VECTORSZ too small
// $ isospin verify large_array.pml
// exit 0
// prints safety holds
// $ isospin verify -D SIZE=20000000 large_array.pml
// exit 2
#ifndef SIZE
#define SIZE 70000
#endif
byte a[SIZE];
active proctype P() { a[SIZE - 1] = 1; assert(a[0] == 0) }
