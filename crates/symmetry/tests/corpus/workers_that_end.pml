/* order: 24 */
byte done;
proctype worker() { done++ }
init { atomic { run worker(); run worker(); run worker(); run worker() }; done == 4; assert(done == 4) }
