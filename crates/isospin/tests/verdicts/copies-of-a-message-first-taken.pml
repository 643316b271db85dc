// safety violated
// A message that is taken first is missed by those who would look at it.
chan c = [2] of { byte };
active proctype A() { c??<1> }
active proctype B() { c?<1> }
active proctype C() { c!1; c?1 }
