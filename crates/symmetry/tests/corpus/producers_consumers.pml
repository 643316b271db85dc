/* order: 12 */
chan buffer = [2] of { byte };
active [2] proctype producer() { do :: buffer!1 od }
active [3] proctype consumer() { byte x; do :: buffer?x od }
