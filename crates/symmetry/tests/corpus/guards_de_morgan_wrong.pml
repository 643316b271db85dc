/* order: 2
   The third one waits until not both others have their flags up. */
bool a, b, c;

active proctype p() { do :: !(b || c) -> a = 1; a = 0 od }
active proctype q() { do :: !a && !c -> b = 1; b = 0 od }
active proctype r() { do :: !(a && b) -> c = 1; c = 0 od }
