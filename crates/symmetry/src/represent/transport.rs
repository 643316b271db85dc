//! Guessing an automorphism of a state that carries one object to another, by following references.
//!
//! If `a` goes to `b`, then what `a` refers to goes to what `b` refers to, and what refers to `a` to what refers to `b`, as far as
//! colours leave a choice in any order; so do parents and children. What is reached this way is either carried onto itself, as by turning
//! a ring of references, or onto something apart, and then the two change places, as two clients do with the servers they are
//! connected to. The guess is verified against the contents, hence it need not be right: it saves search, no more.

use super::forest::Forest;
use super::layout::{Layout, Reference};
use super::objects::Object;
use super::reading::Reading;

const UNSET: Object = Object::MAX;

/// An element of the group under construction, and what is needed to construct it.
#[derive(Clone, Debug)]
pub(super) struct Transport {
    /// By object: its image; not set for objects that stay.
    image: Vec<Object>,
    preimage: Vec<Object>,
    /// The objects with images, which are other objects.
    moved: Vec<Object>,
    /// The references to object `o` are `incoming[start[o]..start[o + 1]]`, as label and referring object.
    start: Vec<u32>,
    incoming: Vec<(u64, Object)>,
    of_source: Vec<(u64, u64, Object)>,
    of_image: Vec<(u64, u64, Object)>,
}

/// What a transport is made in.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) forest: &'a Forest,
    pub(super) layout: &'a Layout,
    pub(super) reading: &'a Reading,
    pub(super) colours: &'a [u64],
    /// The objects, each family sorted by colour.
    pub(super) order: &'a [Object],
}

impl Transport {
    pub(super) fn new(objects: usize) -> Self {
        Self {
            image: vec![UNSET; objects],
            preimage: vec![UNSET; objects],
            moved: Vec::new(),
            start: vec![0; objects + 2],
            incoming: Vec::new(),
            of_source: Vec::new(),
            of_image: Vec::new(),
        }
    }

    /// Prepares for a state of which arcs and kinds have been found.
    pub(super) fn prepare(&mut self, reading: &Reading) {
        self.start.fill(0);
        for arc in reading.arcs() {
            self.start[arc.to as usize + 2] += 1;
        }
        for object in 2..self.start.len() {
            self.start[object] += self.start[object - 1];
        }
        self.incoming.resize(reading.arcs().len(), (0, 0));
        for arc in reading.arcs() {
            let place = &mut self.start[arc.to as usize + 1];
            self.incoming[*place as usize] = (arc.label, arc.from);
            *place += 1;
        }
    }

    /// Whether there is an automorphism that keeps colours and carries `a` to `b`, as far as this finds out.
    pub(super) fn carries(&mut self, setting: &Setting, a: Object, b: Object) -> bool {
        self.moved.iter().for_each(|&object| self.image[object as usize] = UNSET);
        self.preimage.fill(UNSET);
        self.moved.clear();
        self.follow(setting, a, b) && self.complete() && self.is_in_group(setting) && {
            self.add_derived(setting);
            self.fixes_state(setting)
        }
    }

    /// Where the automorphism found last carries an object.
    pub(super) fn image(&self, object: Object) -> Object {
        match self.image[object as usize] {
            UNSET => object,
            image => image,
        }
    }

    fn follow(&mut self, setting: &Setting, a: Object, b: Object) -> bool {
        let mut fits = self.set(setting, a, b);
        let mut next = 0;
        while fits && next < self.moved.len() {
            let source = self.moved[next];
            let image = self.image[source as usize];
            fits = self.follow_references(setting, source, image)
                && self.follow_referrers(setting, source, image)
                && self.follow_family(setting, source, image);
            next += 1;
        }
        fits
    }

    /// Sets the image of an object; whether that agrees with what is set.
    fn set(&mut self, setting: &Setting, source: Object, image: Object) -> bool {
        if self.image[source as usize] == image {
            return true;
        }
        let free = self.image[source as usize] == UNSET && self.preimage[image as usize] == UNSET;
        let same_class = setting.forest.class[source as usize] == setting.forest.class[image as usize];
        let alike = setting.colours[source as usize] == setting.colours[image as usize];
        if source != image && free && same_class && alike {
            self.image[source as usize] = image;
            self.preimage[image as usize] = source;
            self.moved.push(source);
            return true;
        }
        false
    }

    fn follow_references(&mut self, setting: &Setting, source: Object, image: Object) -> bool {
        let slots = setting.layout.names_of(source).zip(setting.layout.names_of(image));
        for (at_source, at_image) in slots {
            let (from, to) = (setting.reading.reference(at_source), setting.reading.reference(at_image));
            // Derived objects follow from the others.
            if from.object == to.object || from == Reference::NONE || setting.forest.is_derived(from.object) {
                continue;
            }
            if to == Reference::NONE || !self.set(setting, from.object, to.object) {
                return false;
            }
        }
        true
    }

    fn follow_referrers(&mut self, setting: &Setting, source: Object, image: Object) -> bool {
        let mut of_source = std::mem::take(&mut self.of_source);
        let mut of_image = std::mem::take(&mut self.of_image);
        self.list_referrers(setting, source, &mut of_source);
        self.list_referrers(setting, image, &mut of_image);
        of_source.retain(|&(.., referrer)| self.image[referrer as usize] == UNSET);
        of_image.retain(|&(.., referrer)| self.preimage[referrer as usize] == UNSET);
        of_source.sort_unstable();
        of_image.sort_unstable();
        let fits = of_source.len() == of_image.len()
            && of_source
                .iter()
                .zip(&of_image)
                .all(|(&(.., from), &(.., to))| from == to || self.set(setting, from, to));
        (self.of_source, self.of_image) = (of_source, of_image);
        fits
    }

    fn list_referrers(&self, setting: &Setting, object: Object, list: &mut Vec<(u64, u64, Object)>) {
        list.clear();
        let range = self.start[object as usize] as usize..self.start[object as usize + 1] as usize;
        let arcs = self.incoming[range].iter().filter(|(_, from)| !setting.forest.is_derived(*from));
        list.extend(arcs.map(|&(label, from)| (label, setting.colours[from as usize], from)));
    }

    fn follow_family(&mut self, setting: &Setting, source: Object, image: Object) -> bool {
        let forest = setting.forest;
        let (above_source, above_image) = (forest.parent(source), forest.parent(image));
        if let (Some(source), Some(image)) = (above_source, above_image)
            && source != image
            && !self.set(setting, source, image)
        {
            return false;
        }
        for &brood in &forest.children[forest.class[source as usize] as usize] {
            let mut images = forest.brood(image, brood).map(|place| setting.order[place]);
            for place in forest.brood(source, brood) {
                let child = setting.order[place];
                if self.image[child as usize] != UNSET {
                    continue;
                }
                let free = images.find(|&image| self.preimage[image as usize] == UNSET);
                if !free.is_some_and(|image| self.set(setting, child, image)) {
                    return false;
                }
            }
        }
        true
    }

    /// Makes the map a permutation: it is one already, or its two sides are disjoint and change places.
    fn complete(&mut self) -> bool {
        let onto_itself =
            self.moved.iter().filter(|&&object| self.image[self.image[object as usize] as usize] != UNSET).count();
        if onto_itself == self.moved.len() {
            return true;
        }
        if onto_itself > 0 {
            return false;
        }
        for place in 0..self.moved.len() {
            let source = self.moved[place];
            let image = self.image[source as usize];
            self.image[image as usize] = source;
            self.moved.push(image);
        }
        true
    }

    /// Whether parents go where their children go.
    fn is_in_group(&self, setting: &Setting) -> bool {
        let forest = setting.forest;
        if !forest.has_parents {
            return true;
        }
        let keeps_parent = |child: Object| {
            forest.parent(child).is_none_or(|parent| forest.parent(self.image(child)) == Some(self.image(parent)))
        };
        self.moved.iter().all(|&object| {
            let broods = &forest.children[forest.class[object as usize] as usize];
            keeps_parent(object)
                && broods.iter().all(|&brood| forest.brood(object, brood).all(|child| keeps_parent(child as Object)))
        })
    }

    /// Derived objects go where those that determine them go.
    fn add_derived(&mut self, setting: &Setting) {
        for place in 0..self.moved.len() {
            for &(number, derived, _) in &setting.forest.derives[self.moved[place] as usize] {
                let class = &setting.forest.derived[number as usize];
                let image = class.image(derived as usize, |origin| self.image(origin));
                let derived = class.first + derived;
                if derived != image && self.image[derived as usize] == UNSET {
                    self.image[derived as usize] = image;
                    self.moved.push(derived);
                }
            }
        }
    }

    fn fixes_state(&self, setting: &Setting) -> bool {
        let moved = self.moved.iter().copied();
        setting.reading.is_fixed_under(setting.layout, moved, |object| self.image(object))
    }
}
