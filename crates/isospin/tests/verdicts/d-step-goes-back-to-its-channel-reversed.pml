// safety violated
chan c = [2] of { byte };
active proctype S() { c!0; c!1 }
active proctype R() { byte x; d_step { do :: c?x -> if :: x == 0 :: else -> break fi od } }
