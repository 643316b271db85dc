// A structure with an `unsigned` field as a message. SPIN refuses the channel; isospin sends it, and the field keeps its three bits.
// $ spin -a unsigned.pml
// exit 1
// prints bad channel spec
// $ isospin verify unsigned.pml
// exit 0
// prints safety holds
typedef Frame { unsigned number : 3; byte data[2] };
chan link = [1] of { Frame, byte };
init {
	Frame sent, got;
	byte from;
	sent.number = 5;
	sent.data[1] = 9;
	link!sent, 1;
	link?got, from;
	assert(got.number == 5 && got.data[1] == 9 && from == 1)
}
