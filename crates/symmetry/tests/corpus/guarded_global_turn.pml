/* order: 4
   A turn that goes round by an if in an atomic, and starts nowhere. */
#define N 4
byte turn = 255;
active [N] proctype p() {
  do
  :: atomic { turn == 255 -> turn = _pid }
  :: atomic { turn == _pid -> if :: turn == N - 1 -> turn = 0 :: else -> turn++ fi }
  od
}
