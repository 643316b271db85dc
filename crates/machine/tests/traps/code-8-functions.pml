// Functions of the model, some of which change the state; text that returns early.
c_decl { \#include <string.h>
  static int clamp(int v) { return v > 9 ? 9 : v; } }
int x; byte a[4];
c_code { void push(int v) { int i; for (i = 3; i > 0; i--) now.a[i] = now.a[i-1]; now.a[0] = v; now.x = clamp(now.x + v); } }
active [2] proctype P() {
  c_code { push(4); };
  c_code { char text[8]; strcpy(text, "seven"); push((int) strlen(text)); }
  assert(x <= 9)
}
