// safety holds
proctype Temp() { skip }
active [2] proctype P() { run Temp(); run Temp() }
