// When all processes are gone the search ends without an error.
active [3] proctype P() { skip }
