/* order: 24
   Reset of all cells by a for loop inside atomic. */
#define N 4
bit vote[N];
byte round;
active [N] proctype p() {
  byte i;
  do
  :: !vote[_pid] -> vote[_pid] = 1
  :: atomic { vote[0] && vote[1] && vote[2] && vote[3] -> for (i : 0 .. N - 1) { vote[i] = 0 } i = 0; round = 1 - round }
  od
}
