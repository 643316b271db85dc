/* order: 6, kept: 2 */
typedef Resource { bit held; byte owner };
Resource r;
active [3] proctype p() { do :: atomic { r.held == 0 -> r.held = 1; r.owner = _pid }; assert(r.owner == _pid); r.held = 0 od }
