/* order: 4 */
#define N 4
chan c[N] = [1] of { bit };
active [N] proctype node() { c[(_pid + 1) % N]!1; do :: c[_pid]?_; c[(_pid + 1) % N]!1 od }
