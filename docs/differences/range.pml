// `1..LAST` without blanks. To SPIN's preprocessor that is one number, in which no macro is replaced; isospin sees a range whose end is a macro.
// $ spin -a range.pml
// exit 1
// prints undeclared variable: LAST
// $ isospin verify range.pml
// exit 0
// prints safety holds
#define LAST 3
byte sum;
active proctype P() {
	byte i;
	for (i : 1..LAST) { sum = sum + i }
	assert(sum == 6)
}
