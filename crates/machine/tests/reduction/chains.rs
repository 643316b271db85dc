//! What is passed over in chains can be found again.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use machine::ample::{AmpleSets, Chains};
use machine::generate::{Generator, InterpretedGenerator, Successors};

use crate::searching::read;

const MODEL: &str = "chan q = [2] of { byte }; byte x;
    active [2] proctype P() { byte i; do :: i < 3 -> i++; q!i :: i == 3 -> break od; x++ }
    active proctype Q() { byte y, n; do :: q?y; n = n + y :: n > 11 -> break od; assert(n == 12) }";

#[test]
fn states_between_are_a_path() {
    let machine = read(MODEL);
    let mut generator = InterpretedGenerator::new(Arc::clone(&machine)).expect("nothing is hidden");
    let mut ample = AmpleSets::new(machine, &[]).expect("nothing forbids it").with_chains(Chains::Skip);
    let mut initial = Vec::new();
    generator.initial(&mut initial).expect("there are no initial values");
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let (mut list, mut all) = (Successors::new(), Successors::new());
    let mut longest = 0;
    while let Some(state) = queue.pop_front() {
        ample.successors(&mut generator, &state, &mut list);
        for target in list.targets() {
            let path = ample.states_between(&mut generator, &state, |end, _| end == target).expect("it is a successor");
            longest = longest.max(path.len());
            let mut before = state.clone();
            for (next, _) in path {
                generator.successors(&before, &mut all);
                assert!(all.targets().any(|target| target == next));
                before = next;
            }
            assert_eq!(before, target);
            if seen.insert(target.to_vec()) {
                queue.push_back(target.to_vec());
            }
        }
        assert_eq!(ample.states_between(&mut generator, &state, |_, _| false), None);
    }
    assert!(longest > 2, "{longest}");
}
