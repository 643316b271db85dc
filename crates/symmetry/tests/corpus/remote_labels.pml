/* order: 6
   A monitor looks at labels and variables of others. */
byte n;
active [3] proctype p() { byte mine; do :: n++; mine = 1; cs: mine = 0; n-- od }
active proctype monitor() {
  do :: (p[0]@cs || p[1]@cs || p[2]@cs) && (p[0]:mine + p[1]:mine + p[2]:mine > 1) -> skip :: else -> skip od
}
