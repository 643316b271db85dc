/* order: 24
   A d_step that counts flags in a loop over ids. */
#define N 4
bit flag[N];
byte inside;
active [N] proctype p() {
  byte i, n;
  do
  :: flag[_pid] = 1;
     d_step { n = 0; i = 0; do :: i < N -> n = n + flag[i]; i++ :: else -> break od; i = 0 };
     if :: n == 1 -> inside++; assert(inside == 1); inside-- :: else fi;
     n = 0;
     flag[_pid] = 0
  od
}
