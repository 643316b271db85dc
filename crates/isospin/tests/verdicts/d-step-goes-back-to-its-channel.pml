// safety violated
// A d_step that receives again has to wait if the second message is not there yet, which is an error.
chan c = [2] of { byte };
active proctype R() { byte x; d_step { do :: c?x -> if :: x == 0 :: else -> break fi od } }
active proctype S() { c!0; c!1 }
