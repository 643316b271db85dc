// safety violated
// Depth first only.
// Whether there are too many depends on how many have ended.
proctype Temp() { skip }
active [2] proctype P() { do :: run Temp() od }
