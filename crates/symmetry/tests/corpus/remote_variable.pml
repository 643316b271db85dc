/* order: 6 */
active [3] proctype p() { bit busy; do :: busy = 1; busy = 0 od }
active proctype watch() { do :: assert(p[0]:busy + p[1]:busy + p[2]:busy <= 3) od }
