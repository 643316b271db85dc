/* order: 2
   A global that nobody reads is there to be looked at; it starts with the name of process 0. */
byte last; byte n;
active [3] proctype p() { do :: n < 2 -> n++; last = _pid :: n > 0 -> n-- od }
