/* order: 120 */
chan spoke[5] = [1] of { bit };
active [5] proctype leaf() { do :: spoke[_pid]!1 od }
active proctype hub() { do :: spoke[0]?_ :: spoke[1]?_ :: spoke[2]?_ :: spoke[3]?_ :: spoke[4]?_ od }
