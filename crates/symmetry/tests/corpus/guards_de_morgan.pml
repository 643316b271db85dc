/* order: 6
   Each waits until no other has its flag up, and says so in its own words. */
bool a, b, c;

active proctype p() { do :: !(b || c) -> a = 1; a = 0 od }
active proctype q() { do :: !a && !c -> b = 1; b = 0 od }
active proctype r() { do :: a == 0 && 1 != b -> c = 1; c = 0 od }
