// safety violated
proctype Temp() { skip }
proctype P() { run Temp(); run P() }
init { run P() }
