//! The symmetries that a certificate's checker can prove, in its words.
//!
//! Detection gives permutations of the places and names of a state vector ([`symmetry::Shape`]). The checker speaks of processes, channels, variables and
//! kinds of names, and knows nothing but the program. Kinds are made of what names have in common: two are of one kind if every generator does the same to
//! both. Whether the checker can prove a generator is found out by asking it.

use std::collections::HashMap;
use std::sync::Arc;

use ::group::{Group, Permutation, Point};
use certify::kinds::{Kind, Kinds, NUMBER, indices, lengths};
use certify::prover::Prover;
use certify::region::{self, What};
use certify::renaming::Renaming;
use certify::{Accepted, Rejection};
use machine::Machine;
use machine::expression::Expr;
use machine::ground::Configuration;
use machine::id::ChannelId;
use machine::layout::OwnedChannel;
use promela::model::Type;
use symmetry::detect::{self, Declared, Detection, Generator};
use symmetry::orbits::{Region, Symmetry};
use symmetry::{Content, Shape, Strategy};

use super::flow;

/// A group whose elements the checker can prove to be symmetries.
pub struct CertifiedGroup {
    /// The region, with the kinds of what is in its states.
    pub region: Arc<region::Region>,
    /// The symmetry that a search uses.
    pub symmetry: Arc<Symmetry>,
    /// The group, with channels as further points behind those of the shape.
    pub group: Group,
    terms: Terms,
}

/// The symmetries that were found, as far as the checker can prove them.
#[derive(Default)]
pub struct Provable {
    /// Those that it can prove, unless there is none.
    pub group: Option<CertifiedGroup>,
    /// How many generators it cannot prove, and what it says of the first.
    pub refused: Option<(usize, Rejection)>,
}

/// What a permutation is in the checker's words.
struct Terms {
    shape: Shape,
    /// The slot of the shape at a byte.
    slots: HashMap<u32, Point>,
    /// What lies at a byte.
    whats: HashMap<u32, What>,
    /// The channels: who owns each, and by which cell it is known.
    channels: Vec<(Option<usize>, OwnedChannel)>,
    /// The state that all symmetries fix.
    entry: Vec<u8>,
    /// By kind, but for numbers: what tells what happens to its names.
    sources: Vec<Source>,
}

/// Something that tells what a permutation does to the names of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Processes,
    Channels,
    /// What a slot of the shape holds.
    Content(Point),
    /// What a cell of a process holds for ever, for all processes of its definition: process, group of cells, element.
    Constant(usize, usize, u32),
    /// The indices of an array: owner, group of cells, which index.
    Index(Option<usize>, usize, usize),
}

/// The names that change, and what to.
type Names = Vec<(i32, i32)>;

impl Provable {
    /// Finds the symmetries of a machine that leave some conditions alone, and asks the checker which of them it can prove.
    pub fn of(
        machine: &Arc<Machine>,
        strategy: Strategy,
        declared: Option<&[Declared]>,
        preserve: &[Expr],
    ) -> Provable {
        let options = detect::Options {
            preserve: preserve.to_vec(),
            declared: declared.map(<[Declared]>::to_vec),
            dead: None,
            useless: detect::Useless::Kept,
            ..detect::Options::default()
        };
        let detection = detect::detect(machine, &options);
        if detection.group.is_trivial() {
            return Provable::default();
        }
        let found = detection.generators.len();
        prove(machine, detection, strategy, preserve)
            .unwrap_or_else(|reason| Provable { group: None, refused: Some((found, reason)) })
    }
}

fn prove(
    machine: &Arc<Machine>,
    mut detection: Detection,
    strategy: Strategy,
    preserve: &[Expr],
) -> Accepted<Provable> {
    let (region, terms, mut generators) = terms(machine, &detection)?;
    let prover = Prover::new(&region, preserve)?;
    let prove = |permutation: &Permutation| {
        let renaming = terms.renaming(&region, permutation)?;
        prover.prove(&renaming)?;
        // Both must do the same to states, or what is represented by one is not by the other.
        match renaming.action(&region).apply(&region, &terms.entry) == terms.entry {
            true => Ok(()),
            false => Err(Rejection::new("what tells processes apart is not renamed with them")),
        }
    };
    let answers: Vec<Accepted<()>> = generators.iter().map(prove).collect();
    let first = answers.iter().find_map(|answer| answer.clone().err());
    let refused = first.map(|reason| (answers.iter().filter(|answer| answer.is_err()).count(), reason));
    let degree = detection.shape.degree();
    if refused.is_some() {
        let mut kept = answers.iter().map(Accepted::is_ok);
        detection.generators.retain(|_| kept.next().unwrap_or(false));
        let mut kept = answers.iter().map(Accepted::is_ok);
        generators.retain(|_| kept.next().unwrap_or(false));
        let permutations = detection.generators.iter().map(|each| each.permutation.clone());
        detection.group = Group::generated_by(degree, permutations);
    }
    if detection.group.is_trivial() {
        return Ok(Provable { group: None, refused });
    }
    let group = Group::generated_by(degree + terms.channels.len(), generators);
    let region = Arc::new(region);
    let applies = region.clone();
    let applies = Region::new(move |state| applies.contains(state));
    let (without_deaths, ended_stay) = (region.without_deaths.clone(), region.has_deaths());
    let symmetry = Arc::new(Symmetry::of_region(detection, strategy, applies, without_deaths, ended_stay));
    Ok(Provable { group: Some(CertifiedGroup { region, symmetry, group, terms }), refused })
}

impl CertifiedGroup {
    /// The element of the group in the checker's words.
    pub fn renaming(&self, element: &Permutation) -> Accepted<Renaming> {
        self.terms.renaming(&self.region, element)
    }
}

/// The region of a detection, what its points are in the checker's words, and the generators with channels as further points.
fn terms(machine: &Arc<Machine>, detection: &Detection) -> Accepted<(region::Region, Terms, Vec<Permutation>)> {
    let reject = || Rejection::new("there is no state in which all processes exist");
    let entry = detection.entry.as_ref().ok_or_else(reject)?;
    let processes: Vec<u32> = entry.definitions(&machine.layout).map(|(_, definition)| definition.0).collect();
    let region = region::Region::new(machine, Kinds::numbers(machine, processes))?;
    let shape = detection.shape.clone();
    let channels = region.kinds.channels(machine).map(|(owner, channel)| (owner, channel.clone())).collect();
    let mut terms = Terms {
        slots: shape.slots.iter().zip(0..).map(|(slot, point)| (slot.at.offset, point)).collect(),
        whats: region.slots.iter().map(|slot| (slot.at.offset, slot.what)).collect(),
        shape,
        channels,
        entry: entry.bytes().to_vec(),
        sources: Vec::new(),
    };
    let configuration = Configuration::of(machine, entry.clone());
    let names: Vec<String> =
        (0..terms.channels.len() as u32).map(|id| configuration.channel_name(ChannelId(id))).collect();
    let extended: Vec<Permutation> = detection
        .generators
        .iter()
        .map(|generator| terms.extended(&region, generator, &names))
        .collect::<Accepted<_>>()?;
    let kinds = terms.classify(&region, &extended)?;
    Ok((region::Region::new(machine, kinds)?, terms, extended))
}

impl Terms {
    /// A generator with channels as further points: where one goes is seen from its messages, or from what the generator says of names.
    fn extended(&self, region: &region::Region, generator: &Generator, names: &[String]) -> Accepted<Permutation> {
        let mut images = generator.permutation.images().to_vec();
        let first = images.len();
        let by_name = |name: &String| {
            let cycle = generator.cycles.iter().find(|cycle| cycle.contains(name))?;
            let place = cycle.iter().position(|each| each == name)?;
            let next = &cycle[(place + 1) % cycle.len()];
            names.iter().position(|each| each == next)
        };
        for (channel, name) in names.iter().enumerate() {
            let by_length = self.slots.get(&region.offset(What::Length(channel))).and_then(|&slot| {
                let image = self.shape.slots[generator.permutation.image(slot) as usize].at.offset;
                let rendezvous = region.machine.layout.shape(region.channels[channel].shape).is_rendezvous();
                match self.whats.get(&image) {
                    Some(&What::Length(image)) if !rendezvous => Some(image),
                    _ => None,
                }
            });
            let image = by_length.or_else(|| by_name(name)).unwrap_or(channel);
            images.push((first + image) as Point);
        }
        Permutation::from_images(images).map_err(|_| Rejection::new("channels are not permuted"))
    }

    fn channel_image(&self, permutation: &Permutation, channel: usize) -> usize {
        let first = self.shape.degree();
        permutation.image((first + channel) as Point) as usize - first
    }

    /// Where something goes. A cell by which a channel is known goes where the channel goes.
    fn image(&self, region: &region::Region, permutation: &Permutation, what: What) -> What {
        if let What::Cell(owner, cells, element) = what {
            let is_known_by = |(of, channel): &(Option<usize>, OwnedChannel)| {
                (*of, channel.cells.index(), channel.element) == (owner, cells, element)
            };
            if let Some(channel) = self.channels.iter().position(is_known_by) {
                let (owner, channel) = &self.channels[self.channel_image(permutation, channel)];
                return What::Cell(*owner, channel.cells.index(), channel.element);
            }
        }
        let Some(&slot) = self.slots.get(&region.offset(what)) else { return what };
        let image = self.shape.slots[permutation.image(slot) as usize].at.offset;
        self.whats.get(&image).copied().unwrap_or(what)
    }

    /// What a permutation does to names.
    fn names(&self, region: &region::Region, permutation: &Permutation, source: Source) -> Names {
        let pairs: Names = match source {
            Source::Processes => (0..region.frames.len())
                .map(|pid| match self.image(region, permutation, What::Location(pid)) {
                    What::Location(image) => (pid as i32, image as i32),
                    _ => (pid as i32, pid as i32),
                })
                .collect(),
            Source::Channels => (0..self.channels.len())
                .map(|channel| (channel as i32 + 1, self.channel_image(permutation, channel) as i32 + 1))
                .collect(),
            Source::Content(slot) => match self.shape.slots[slot as usize].content {
                Content::Number => Vec::new(),
                Content::Name(domain) => {
                    let domain = &self.shape.domains[domain.0 as usize];
                    let image = |point: Point| self.shape.value_at(permutation.image(point));
                    let pairs = domain.values.iter().zip(domain.first_point..);
                    pairs.map(|(&value, point)| (value, image(point).unwrap_or(value))).collect()
                }
            },
            Source::Constant(pid, cells, element) => {
                let like = (0..region.frames.len()).filter(|&other| region.definition(other) == region.definition(pid));
                let value = |pid: usize| {
                    let what = What::Cell(Some(pid), cells, element);
                    region.cells(Some(pid), cells).scalar.read(&self.entry[region.offset(what) as usize..])
                };
                let mut pairs: Names = like
                    .map(|pid| match self.image(region, permutation, What::Location(pid)) {
                        What::Location(image) => (value(pid), value(image)),
                        _ => (value(pid), value(pid)),
                    })
                    .collect();
                pairs.sort_unstable();
                pairs.dedup();
                pairs
            }
            Source::Index(owner, cells, place) => {
                let layout = region.cells(owner, cells);
                let length = lengths(layout).nth(place).unwrap_or(1);
                let image = |index: u32| {
                    let mut at = vec![0; lengths(layout).count()];
                    at[place] = index;
                    let element = certify::kinds::element(layout, &at);
                    match self.image(region, permutation, What::Cell(owner, cells, element)) {
                        What::Cell(_, _, image) => indices(layout, image)[place] as i32,
                        _ => index as i32,
                    }
                };
                (0..length).map(|index| (index as i32, image(index))).collect()
            }
        };
        pairs.into_iter().filter(|(from, to)| from != to).collect()
    }

    /// Whether a generator moves a process and leaves one of its cells where it is.
    fn stays(
        &self,
        region: &region::Region,
        generators: &[Permutation],
        pid: usize,
        cells: usize,
        element: u32,
    ) -> bool {
        let (location, cell) = (What::Location(pid), What::Cell(Some(pid), cells, element));
        generators
            .iter()
            .any(|each| self.image(region, each, location) != location && self.image(region, each, cell) == cell)
    }

    /// The kinds of everything, given what the generators do.
    fn classify(&mut self, region: &region::Region, generators: &[Permutation]) -> Accepted<Kinds> {
        let mut known: Vec<(Vec<Names>, Source)> = Vec::new();
        let mut too_many = false;
        let mut kind_of = |source: Source| -> Kind {
            let signature: Vec<Names> = generators.iter().map(|each| self.names(region, each, source)).collect();
            if signature.iter().all(Vec::is_empty) {
                return NUMBER;
            }
            let place = known.iter().position(|(other, _)| *other == signature).unwrap_or_else(|| {
                known.push((signature, source));
                known.len() - 1
            });
            too_many |= place >= 254;
            (place as Kind).saturating_add(1)
        };
        let mut kinds = region.kinds.clone();
        kinds.process = kind_of(Source::Processes);
        kinds.channel = kind_of(Source::Channels);
        for slot in &region.slots {
            let content = match (slot.what, self.slots.get(&slot.at.offset)) {
                (What::Location(_) | What::Length(_), _) => NUMBER,
                // What stays where it is while its process moves is a constant by which detection knows the process.
                (What::Cell(Some(pid), cells, element), _) if self.stays(region, generators, pid, cells, element) => {
                    kind_of(Source::Constant(pid, cells, element))
                }
                (_, Some(&point)) => kind_of(Source::Content(point)),
                (_, None) => NUMBER,
            };
            match slot.what {
                What::Cell(owner, cells, _) => {
                    let layout = region.cells(owner, cells);
                    let content = if layout.ty == Type::Chan { kinds.channel } else { content };
                    let of = match owner {
                        None => &mut kinds.globals[cells],
                        Some(pid) => &mut kinds.frames[kinds.processes[pid] as usize][cells],
                    };
                    of.content = of.content.max(content);
                    for place in 0..lengths(layout).count() {
                        of.indices[place] = of.indices[place].max(kind_of(Source::Index(owner, cells, place)));
                    }
                }
                What::Field(channel, _, field) => {
                    let shape = region.machine.layout.shape(region.channels[channel].shape);
                    let content = if shape.fields[field] == Type::Chan { kinds.channel } else { content };
                    let of = &mut kinds.fields[channel][field];
                    *of = (*of).max(content);
                }
                What::Location(_) | What::Length(_) => {}
            }
        }
        if too_many {
            return Err(Rejection::new("there are too many kinds of names"));
        }
        self.sources = known.into_iter().map(|(_, source)| source).collect();
        kinds.count = self.sources.len() as Kind + 1;
        flow::spread(region, &mut kinds);
        Ok(kinds)
    }

    /// A permutation in the checker's words.
    fn renaming(&self, region: &region::Region, permutation: &Permutation) -> Accepted<Renaming> {
        let names = self.sources.iter().map(|&source| self.names(region, permutation, source)).collect();
        let global = |cells: usize| match self.image(region, permutation, What::Cell(None, cells, 0)) {
            What::Cell(None, image, _) => image,
            _ => cells,
        };
        let globals = (0..region.kinds.globals.len()).map(global).collect();
        let locations = (0..region.frames.len()).map(|pid| self.locations(region, permutation, pid)).collect();
        Renaming::new(region, names, globals, locations)
    }

    fn locations(&self, region: &region::Region, permutation: &Permutation, pid: usize) -> Vec<usize> {
        let count = region.machine.definition(region.definition(pid)).automaton.locations.len();
        let mut images: Vec<usize> = (0..count).collect();
        if let Some(&slot) = self.slots.get(&region.offset(What::Location(pid))) {
            for (from, to) in self.names(region, permutation, Source::Content(slot)) {
                images[from as usize] = to as usize;
            }
        }
        images
    }
}
