//! Some hundred random groups, asked the same questions as GAP is, in one run of GAP.
//!
//! Skipped, with a message, where there is no `gap`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use group::{Action, Group, Numbering, Permutation, Point, Random};

/// One group and the objects it is asked about.
struct Question {
    group: Group,
    /// Two permutations, in the group or not: their products, and whether the first belongs to the group.
    permutations: [Permutation; 2],
    set: Vec<Point>,
    vector: Vec<u32>,
}

/// The functions that answer in GAP; one line for each question, in the format of [`Question::answer`].
const SCRIPT: &str = r#"
SizeScreen([8000, 24]);;
CycleForm := function(g)
  local text;
  if g = () then return "()"; fi;
  text := ReplacedString(String(g), ",", " ");
  return text;
end;;
Flag := function(b) if b then return 1; else return 0; fi; end;;
Answer := function(degree, gens, a, b, set, vector)
  local G, orbits, moved, blocks, orbit, least, image;
  G := Group(gens, ());
  Print(Size(G));
  Print(" ", CycleForm(a*b), " ", CycleForm(a^b), " ", Flag(a in G));
  Print(" ", Size(Stabilizer(G, Set(set), OnSets)), " ", Size(Stabilizer(G, set, OnTuples)));
  Print(" ", SortedList(List(Orbits(G, [1..degree]), Size)));
  moved := MovedPoints(G);
  for orbit in Orbits(G, moved) do
    if Minimum(orbit) = Minimum(moved) then
      blocks := AllBlocks(Action(G, Set(orbit)));
      Print(" ", SortedList(List(blocks, Size)));
    fi;
  od;
  Print(" ", Flag(IsAbelian(G)), " ", Flag(IsCyclic(G)), " ", Flag(IsPrimitive(G, Orbit(G, Minimum(moved)))));
  if Size(G) <= 2000 then
    Print(" ", Flag(IsDihedralGroup(G) and Size(G) > 4));
  fi;
  if IsAbelian(G) then Print(" ", Product(AbelianInvariants(G))); fi;
  if Size(G) <= 3000 then
    orbit := Set(Orbit(G, vector, Permuted));
    Print(" ", orbit[1], " ", Length(orbit));
  fi;
  Print("\n");
end;;
"#;

impl Question {
    /// The question as a call in GAP.
    fn ask(&self) -> String {
        let one = |g: &Permutation| g.cycle_form(Numbering::FromOne).to_string().replace(' ', ",");
        let generators: Vec<String> = self.group.generators().iter().map(one).collect();
        let points: Vec<u32> = self.set.iter().map(|p| p + 1).collect();
        let [a, b] = &self.permutations;
        let degree = self.group.degree();
        let (a, b) = (one(a), one(b));
        format!("Answer({degree}, [{}], {a}, {b}, {points:?}, {:?});\n", generators.join(","), self.vector)
    }

    fn answer(&self) -> String {
        let group = &self.group;
        let [a, b] = &self.permutations;
        let one = |g: &Permutation| g.cycle_form(Numbering::FromOne).to_string();
        let flag = |truth: bool| u8::from(truth);
        let mut line = group.order().to_string();
        let mut add = |text: String| write!(line, " {text}").expect("writing to a string succeeds");
        add(one(&a.then(b)));
        add(one(&a.conjugate_by(b)));
        add(flag(group.contains(a)).to_string());
        add(group.setwise_stabiliser(&self.set).order().to_string());
        add(group.pointwise_stabiliser(&self.set).order().to_string());
        let mut lengths: Vec<usize> = group.orbits().iter().map(Vec::len).collect();
        lengths.sort_unstable();
        add(list(&lengths));
        let first = group.orbits().into_iter().find(|orbit| orbit.len() > 1).expect("questions have no trivial groups");
        // GAP lists one block of each system.
        let mut blocks: Vec<usize> = group.all_block_systems(&first).iter().map(|system| system[0].len()).collect();
        blocks.sort_unstable();
        add(list(&blocks));
        add(flag(group.is_abelian()).to_string());
        add(flag(group.is_cyclic()).to_string());
        add(flag(group.is_primitive_on(&first)).to_string());
        if group.order() <= 2000u32.into() {
            add(flag(group.dihedral_corners().is_some()).to_string());
        }
        if let Some(invariants) = group.abelian_invariants() {
            add(invariants.iter().product::<num_bigint::BigUint>().to_string());
        }
        if group.order() <= 3000u32.into() {
            let image = group.minimal_image(&self.vector);
            add(list(&image.element.permute(&self.vector)));
            add((group.order() / image.stabiliser_order()).to_string());
        }
        line
    }
}

/// A list as GAP prints it.
fn list<T: ToString>(items: &[T]) -> String {
    if items.is_empty() {
        return "[  ]".to_owned();
    }
    format!("[ {} ]", items.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}

fn questions() -> Vec<Question> {
    let mut random = Random::from_seed(2024);
    let mut questions = Vec::new();
    while questions.len() < 240 {
        let group = match questions.len() % 3 {
            0 => random_group(&mut random),
            1 => random_subgroup(&mut random),
            _ => random_image(&mut random),
        };
        if group.is_trivial() {
            continue;
        }
        let degree = group.degree();
        let size = 1 + random.below(degree);
        let mut set = Permutation::random(degree, &mut random).images()[..size].to_vec();
        set.sort_unstable();
        let vector = (0..degree).map(|_| random.below(3) as u32).collect();
        let inside = group.random_element(&mut random);
        let any = Permutation::random(degree, &mut random);
        let permutations = if random.below(2) == 0 { [inside, any] } else { [any, inside] };
        questions.push(Question { group, permutations, set, vector });
    }
    questions
}

fn random_group(random: &mut Random) -> Group {
    let degree = 3 + random.below(10);
    let draw = |_| Permutation::random(degree, random).power(1 + random.below(6) as i64);
    Group::generated_by(degree, (0..2).map(draw).collect::<Vec<_>>())
}

/// Generated by random elements of a structured group, points renamed.
fn random_subgroup(random: &mut Random) -> Group {
    let (s2, s3, s4) = (Group::symmetric(2), Group::symmetric(3), Group::symmetric(4));
    let whole = match random.below(8) {
        0 => s2.wreath_product(&s4),
        1 => s3.wreath_product(&s3),
        2 => s4.wreath_product(&s2),
        3 => Group::hypercube(4),
        4 => Group::disjoint_product(&[s3.clone(), s4, s3, Group::dihedral(6)]),
        5 => Group::symmetric(5).wreath_product(&s3),
        6 => s2.wreath_product(&s3).wreath_product(&s2),
        _ => Group::disjoint_product(&[s2.wreath_product(&s2), Group::cyclic(6), Group::alternating(5)]),
    };
    let renaming = Permutation::random(whole.degree(), random);
    let count = 2 + random.below(2);
    let generators: Vec<Permutation> = (0..count)
        .map(|_| whole.random_element(random).power(1 + random.below(3) as i64).conjugate_by(&renaming))
        .collect();
    Group::generated_by(whole.degree(), generators)
}

/// What a random subgroup does on blocks, or on an orbit.
fn random_image(random: &mut Random) -> Group {
    let group = random_subgroup(random);
    let Some(orbit) = group.orbits().into_iter().find(|orbit| orbit.len() > 1) else { return group };
    match group.minimal_block_systems(&orbit).first() {
        Some(system) => Action::on_sets(&group, system).expect("blocks are exchanged as wholes").image().clone(),
        None => group.restricted_to(&orbit),
    }
}

#[test]
fn gap_gives_the_same_answers() {
    let gap = Command::new("gap").args(["-q", "-A"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut gap) = gap else {
        eprintln!("skipped: there is no gap to compare with (Debian: gap-core)");
        return;
    };
    let questions = questions();
    let mut script = SCRIPT.to_owned();
    script.extend(questions.iter().map(Question::ask));
    script.push_str("QUIT_GAP();\n");
    let mut input = gap.stdin.take().expect("the input was asked for");
    // A thread writes while the main one reads, so that neither pipe can fill up and block both sides.
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = gap.wait_with_output().expect("gap was started");
    writer.join().expect("the writer does not panic").expect("gap reads its input");
    let text = String::from_utf8(output.stdout).expect("gap prints plain text");
    let answers: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(answers.len(), questions.len(), "{text}");
    for (question, answer) in questions.iter().zip(answers) {
        assert_eq!(question.answer(), answer.trim(), "{:?}", question.group);
    }
}
