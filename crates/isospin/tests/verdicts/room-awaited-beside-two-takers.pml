// safety violated
// A sender that waits for room may go on once one of two others has taken a message.
chan c = [1] of { bit }; bit g;
active [2] proctype T() { end: c?_ }
active proctype S() { c!1; c!1; g = 1 }
active proctype X() { assert(!g) }
