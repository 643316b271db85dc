// safety violated
proctype Temp() { skip }
active proctype P() { run Temp() }
active proctype Q() { assert(_nr_pr < 3) }
