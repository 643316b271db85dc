/* order: 6
   Comparisons by size, turned around and negated. */
byte x[3], y = 2;

active proctype p() { do :: x[0] < y -> x[0]++ :: x[0] >= 2 -> x[0] = 0 od }
active proctype q() { do :: y > x[1] -> x[1]++ :: 1 < x[1] -> x[1] = 0 od }
active proctype r() { do :: !(y <= x[2]) -> x[2]++ :: !(x[2] <= 1) -> x[2] = 0 od }
active proctype s() { do :: y == 2 -> y = 1 :: y != 2 -> y = 2 od }
