/* order: 6 */
byte owner = 9; byte depth;
inline acquire(me) { atomic { owner == 9 -> owner = me; depth = 1 } }
inline release() { atomic { depth = 0; owner = 9 } }
active [3] proctype p() { do :: acquire(_pid); assert(owner == _pid); release() od }
