//! Where states were found: the way back from a state to the initial one.

/// The numbers from the initial state's to this one's, where the initial state is its own parent.
pub(crate) fn way_to(mut number: u32, parent: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut way = vec![number];
    while parent(number) != number {
        number = parent(number);
        way.push(number);
    }
    way.reverse();
    way
}
