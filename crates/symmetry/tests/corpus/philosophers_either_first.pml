/* order: 8 */
#define N 4
#define left _pid
#define right ((_pid + 1) % N)
bit fork[N];
active [N] proctype philosopher() {
  do
  :: if
     :: atomic { !fork[left] -> fork[left] = 1 }; atomic { !fork[right] -> fork[right] = 1 }
     :: atomic { !fork[right] -> fork[right] = 1 }; atomic { !fork[left] -> fork[left] = 1 }
     fi;
     atomic { fork[left] = 0; fork[right] = 0 }
  od
}
