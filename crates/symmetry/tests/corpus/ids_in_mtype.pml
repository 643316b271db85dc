/* order: 6
   Processes are known by mtype names. */
mtype = { ann, bob, cid, nobody };
mtype owner = nobody;
proctype p(mtype me) { do :: atomic { owner == nobody -> owner = me }; assert(owner == me); owner = nobody od }
init { atomic { run p(cid); run p(ann); run p(bob) } }
