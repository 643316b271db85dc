//! What is passed over in chains can be found again.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use machine::ample::{Ample, AmpleSets, Proviso};
use machine::gauge::Weighing;
use machine::generate::InterpretedGenerator;
use machine::merged::{Merged, Stops};
use system::{Arena, System};

use crate::searching::read;

const MODEL: &str = "chan q = [2] of { byte }; byte x;
    active [2] proctype P() { byte i; do :: i < 3 -> i++; q!i :: i == 3 -> break od; x++ }
    active proctype Q() { byte y, n; do :: q?y; n = n + y :: n > 11 -> break od; assert(n == 12) }";

#[test]
fn states_between_are_a_path() {
    let machine = read(MODEL);
    let mut generator = InterpretedGenerator::new(Arc::clone(&machine)).expect("nothing is hidden");
    let sets = AmpleSets::new(machine, &[]).expect("nothing forbids it");
    let mut merged = Merged::new(
        Ample::new(generator.clone(), sets.clone(), Proviso::OnThePath, Weighing::Never),
        sets,
        Stops::default(),
        Weighing::Never,
    );
    let mut initial = Vec::new();
    generator.initial(&mut initial);
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let (mut list, mut all) = (Arena::new(), Arena::new());
    let mut longest = 0;
    while let Some(state) = queue.pop_front() {
        merged.reduced(&state, &mut list);
        for target in list.targets() {
            let unfolded = merged.unfold(&state);
            let is_target = |steps: &Vec<(Vec<u8>, _)>| steps.last().is_some_and(|(end, _)| end == target);
            let path = unfolded.into_iter().find(is_target).expect("it is a successor");
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
    }
    assert!(longest > 2, "{longest}");
}
