/* order: 2
   The last part of the first condition follows from the others. */
bool a, b, c, d, e, f;

active proctype p() { do :: (a && b) || (!a && c) || (b && c) -> a = !a :: b = !b :: c = !c od }
active proctype q() { do :: (!d && f) || (e && d) -> d = !d :: e = !e :: f = !f od }
