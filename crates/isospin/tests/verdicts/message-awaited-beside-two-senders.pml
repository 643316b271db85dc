// safety violated
// A receiver that waits for a message may go on once one of two others has sent one.
chan c = [1] of { bit }; bit g;
active [2] proctype T() { end: c!1 }
active proctype S() { c?_; g = 1 }
active proctype X() { assert(!g) }
