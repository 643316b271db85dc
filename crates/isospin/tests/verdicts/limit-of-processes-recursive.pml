// safety violated
// Depth first only.
proctype Temp() { skip }
proctype P() { run Temp(); run P() }
init { run P() }
