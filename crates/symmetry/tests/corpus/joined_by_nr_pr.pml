/* order: 1 */
byte done;
proctype worker() { done++ }
init { atomic { run worker(); run worker(); run worker() }; _nr_pr == 1; assert(done == 3) }
