/* order: 6, processes: 6
   Votes can be renamed. That three equal votes are compared two by two, and the first one is taken, is not seen through. */
#define N 3
byte vote[N] = 255; byte leader = 255;
active [N] proctype p() {
  if :: vote[_pid] = 0 :: vote[_pid] = 1 :: vote[_pid] = 2 fi;
  atomic { (vote[0] != 255 && vote[1] != 255 && vote[2] != 255);
    if
    :: leader == 255 && vote[0] == vote[1] && vote[1] == vote[2] -> leader = vote[0]
    :: else
    fi }
}
