/* order: 24
   Ids are pids less one. */
#define ID (_pid - 1)
byte owner = 255; bit f[4];
proctype p() { do :: f[ID] = 1; atomic { owner == 255 -> owner = ID }; assert(f[owner]); atomic { owner = 255; f[ID] = 0 } od }
init { atomic { run p(); run p(); run p(); run p() } }
