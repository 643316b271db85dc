//! Types as a reader would write them.

use super::{ChannelTypeId, Kind, Model, Type};

impl Model {
    /// A type as it is written in a declaration: `byte`, `mtype:fruit`, `unsigned : 3`, the name of a typedef.
    #[must_use]
    pub fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Bit => "bit".into(),
            Type::Bool => "bool".into(),
            Type::Byte => "byte".into(),
            Type::Pid => "pid".into(),
            Type::Short => "short".into(),
            Type::Int => "int".into(),
            Type::Unsigned(bits) => format!("unsigned : {bits}"),
            Type::Mtype(set) => match &self.mtypes[set.index()].name {
                Some(name) => format!("mtype:{name}"),
                None => "mtype".into(),
            },
            Type::Chan => "chan".into(),
            Type::Structure(id) => self.structures[id.index()].name.to_string(),
            Type::Ref(process) => format!("ref {}", self.processes[process.index()].name),
        }
    }

    /// A channel type with the types of its fields: `chan {mtype, byte}`, `rec X. chan {X, byte}`.
    ///
    /// ```
    /// use promela::{Options, load_text};
    /// let loaded = load_text("m.pml", "chan a = [1] of { chan, byte }; init { a!a,1 }", &Options::default());
    /// let model = loaded.model.unwrap();
    /// let ty = model.globals[0].channel.unwrap();
    /// assert_eq!(model.channel_type_name(ty), "rec X. chan {X, byte}");
    /// ```
    #[must_use]
    pub fn channel_type_name(&self, id: ChannelTypeId) -> String {
        Writer { model: self, open: Vec::new(), named: 0 }.channel(id)
    }
}

/// Writes a channel type; a type inside itself gets a name.
struct Writer<'m> {
    model: &'m Model,
    /// The types being written, outermost first, each with its name once it needs one.
    open: Vec<(ChannelTypeId, Option<String>)>,
    named: usize,
}

/// Deeper types are cut off: they are built by programs, and nobody reads them.
const DEEPEST: usize = 12;

impl Writer<'_> {
    fn channel(&mut self, id: ChannelTypeId) -> String {
        if let Some(position) = self.open.iter().position(|(open, _)| *open == id) {
            if self.open[position].1.is_none() {
                self.open[position].1 = Some(self.next_name());
            }
            return self.open[position].1.clone().unwrap_or_default();
        }
        if self.open.len() == DEEPEST {
            return "chan {...}".into();
        }
        self.open.push((id, None));
        let ty = &self.model.channel_types[id.index()];
        let mut fields = Vec::with_capacity(ty.fields.len());
        for field in &ty.fields {
            fields.push(match (field.channel, field.ty, field.kind) {
                (Some(inner), ..) => self.channel(inner),
                (None, Some(ty), _) => self.model.type_name(ty),
                (None, None, Kind::Pid) => "pid".into(),
                (None, None, Kind::Mtype(set)) => self.model.type_name(Type::Mtype(set)),
                (None, None, _) => "_".into(),
            });
        }
        let unknown = if ty.fields.is_empty() && !ty.declared { "..." } else { "" };
        let text = format!("chan {{{}{unknown}}}", fields.join(", "));
        match self.open.pop() {
            Some((_, Some(name))) => format!("rec {name}. {text}"),
            _ => text,
        }
    }

    fn next_name(&mut self) -> String {
        let letters = ["X", "Y", "Z"];
        self.named += 1;
        match letters.get(self.named - 1) {
            Some(letter) => (*letter).into(),
            None => format!("X{}", self.named - 1),
        }
    }
}
