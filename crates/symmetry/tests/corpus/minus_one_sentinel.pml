/* order: 6 */
int owner = -1;
active [3] proctype p() { do :: atomic { owner == -1 -> owner = _pid }; owner = -1 od }
