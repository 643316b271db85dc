// Memory from the heap, made by C_INIT, tracked by what a pointer points to; a pointer that is null is nothing to track.
c_decl {
  int *cell; int *nothing;
  \#define C_INIT cell = malloc(sizeof(int)); *cell = 1
}
c_track "cell" "sizeof(int)"
c_track "nothing" "8"
byte x;
active [2] proctype P() { c_code { *cell = *cell * 2; now.x = *cell; } }
