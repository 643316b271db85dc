/* order: 24
   else against a set of options over ids. */
byte who = 4; byte got;
active [4] proctype p() {
  do
  :: atomic { who == 4 -> who = _pid }
  :: atomic { if :: who == _pid -> who = 4 :: who == 4 -> skip :: else -> got = 1 - got fi }
  od
}
