/* order: 12, kept: 6 */
chan buffer = [2] of { pid };
active [2] proctype producer() { do :: buffer!_pid od }
active [3] proctype consumer() { pid x; do :: buffer?x od }
