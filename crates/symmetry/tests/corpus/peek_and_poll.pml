/* order: 6 */
chan pool = [3] of { byte };
active [3] proctype p() { do :: nfull(pool) -> pool!_pid :: pool?[eval(_pid)] -> pool?eval(_pid) od }
