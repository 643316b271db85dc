'use strict';
// Steps through counterexamples: steps, source and state side by side, and the row of the chart.
const SNAPSHOT_EVERY = 100;
// The list of steps holds so many at a time; a browser is slow with more.
const WINDOW = 2000;
const data = JSON.parse(document.getElementById('i-data').textContent);
const runs = [...document.querySelectorAll('.i-run')].map(root => startRun(root, expanded(data.runs[root.dataset.run])));
let active = runs[0];
if (active) active.list.focus({ preventScroll: true });

document.addEventListener('keydown', event => {
  if (!active || event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === 'INPUT') return;
  const inside = active.root.parentElement.contains(document.activeElement);
  const page = 20;
  const moves = { ArrowRight: 1, l: 1, n: 1, ArrowLeft: -1, h: -1, p: -1 };
  const inList = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  const by = moves[event.key] ?? (inside ? inList[event.key] : undefined);
  if (by === undefined) return;
  event.preventDefault();
  active.go(active.at + by);
});

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function shown(value) {
  if (!Array.isArray(value)) return String(value);
  return value.length ? value.map(message => '[' + message.join(',') + ']').join('') : '[]';
}

// From the short form of a run, with tables of statements and names, to steps that say what they are.
function expanded(run) {
  run.steps = run.steps.map(([part, partner = -1, pairs = [], rare = {}], index) => {
    const changes = [];
    for (let at = 0; at < pairs.length; at += 2) changes.push({ name: run.names[pairs[at]], new: pairs[at + 1] });
    return { number: index + 1, part: run.parts[part], partner: run.parts[partner], changes, ...rare };
  });
  return run;
}

function startRun(root, trace) {
  const find = name => root.querySelector('.i-' + name);
  const list = find('list'), steps = find('steps'), source = find('lines'), state = find('state');
  const slider = find('slider'), place = find('place'), chart = root.parentElement.querySelector('.i-chart');
  const total = trace.steps.length;
  const buttons = Object.fromEntries([...root.querySelectorAll('button')].map(button => [button.dataset.go, button]));
  let rows = { first: 0, list: [] };
  const snapshots = [initialState(trace)];
  const ways = stepsOfProcesses(trace);
  const bar = chart && chart.appendChild(element('div', 'i-row'));
  const self = { root, list, at: 0, go };

  steps.addEventListener('click', event => {
    const row = event.target.closest('[data-at]');
    if (row) { list.focus({ preventScroll: true }); go(Number(row.dataset.at)); }
  });
  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener('click', () => go(self.at + { first: -Infinity, back: -1, forward: 1, last: Infinity }[name]));
  }
  slider.max = total;
  slider.addEventListener('input', () => go(Number(slider.value)));
  if (chart) chart.addEventListener('click', event => {
    const y = event.clientY - chart.querySelector('svg').getBoundingClientRect().top;
    const row = chartRows().find(row => Math.abs(rowMiddle(row) - y) <= 11);
    if (row) go(Number(row.dataset.step));
  });
  root.parentElement.addEventListener('pointerdown', () => { active = self; });
  root.addEventListener('focusin', () => { active = self; });
  go(total);
  return self;

  function go(to) {
    const before = rows.list[self.at - rows.first];
    if (before) {
      before.classList.remove('i-now');
      before.removeAttribute('aria-current');
    }
    self.at = Math.max(0, Math.min(total, to));
    if (!rows.list[self.at - rows.first]) rows = fillSteps(steps, trace, Math.max(0, Math.min(self.at - WINDOW / 2, total + 1 - WINDOW)));
    const row = rows.list[self.at - rows.first];
    row.classList.add('i-now');
    row.setAttribute('aria-current', 'step');
    keepVisible(list, row);
    slider.value = self.at;
    place.textContent = self.at === 0 ? `initial state of ${total}` : `after step ${self.at} of ${total}`;
    buttons.first.disabled = buttons.back.disabled = self.at === 0;
    buttons.last.disabled = buttons.forward.disabled = self.at === total;
    const now = stateAt(self.at);
    const step = trace.steps[self.at - 1];
    showState(state, trace, now, step && stateAt(self.at - 1), step, self.at === total);
    showSource(now, step);
    showInChart();
  }

  function stateAt(index) {
    let known = Math.floor(index / SNAPSHOT_EVERY);
    while (snapshots.length <= known) {
      const last = snapshots.length - 1;
      snapshots.push(advanced(snapshots[last], trace, last * SNAPSHOT_EVERY, (last + 1) * SNAPSHOT_EVERY));
    }
    return advanced(snapshots[known], trace, known * SNAPSHOT_EVERY, index);
  }

  function showSource(now, step) {
    source.querySelectorAll('.i-now').forEach(line => line.classList.remove('i-now'));
    source.querySelectorAll('.i-p:not(:empty)').forEach(mark => { mark.textContent = ''; mark.title = ''; });
    const here = new Map();
    for (const process of now.processes.values()) {
      const line = lineOf(positionOf(process, self.at));
      if (line) here.set(line, (here.get(line) || []).concat(process));
    }
    for (const [line, processes] of here) {
      const mark = line.querySelector('.i-p'), pids = processes.map(process => process.pid).join(',');
      mark.textContent = pids.length <= 5 ? pids : `${processes.length} here`;
      mark.title = 'here: ' + processes.map(process => `${process.process}(${process.pid})`).join(', ');
    }
    if (!step) return;
    let first = null;
    for (const part of [step.part, step.partner].filter(Boolean)) {
      for (let number = part.line; number <= Math.min(part.end_line, part.line + 40); number++) {
        const line = lineOf({ file: part.file, line: number });
        if (line) { line.classList.add('i-now'); first = first || line; }
      }
    }
    if (first) keepVisible(find('source'), first);
  }

  // Where a process stands: at the statement that it executes next in this run, or where it is at the end.
  function positionOf(process, index) {
    const way = ways.get(process.pid) || [];
    let first = 0, behind = way.length;
    while (first < behind) {
      const middle = (first + behind) >> 1;
      if (way[middle].index >= index) behind = middle; else first = middle + 1;
    }
    const next = way[first];
    return next ? next.part : trace.final.processes.find(each => each.pid === process.pid);
  }

  function lineOf(place) {
    if (!place || !place.line) return null;
    const file = data.files.indexOf(place.file);
    return file < 0 ? null : source.querySelector(`[data-line="${file}:${place.line}"]`);
  }

  function chartRows() {
    return [...chart.querySelectorAll('g[data-step]')];
  }

  function showInChart() {
    if (!bar) return;
    const row = chart.querySelector(`g[data-step="${self.at}"]`);
    bar.style.display = row ? '' : 'none';
    if (!row) { chart.scrollTop = 0; return; }
    const y = rowMiddle(row) - 11;
    bar.style.top = y + 'px';
    bar.style.width = chart.scrollWidth + 'px';
    if (y < chart.scrollTop + 30 || y > chart.scrollTop + chart.clientHeight - 50) chart.scrollTop = y - chart.clientHeight / 2;
  }
}

function rowMiddle(row) {
  return Number(row.querySelector('text').getAttribute('y')) - 4;
}

function keepVisible(pane, row) {
  const top = row.offsetTop, bottom = top + row.offsetHeight, room = 28;
  if (top < pane.scrollTop + room) pane.scrollTop = top - room - pane.clientHeight / 3;
  else if (bottom > pane.scrollTop + pane.clientHeight - room) pane.scrollTop = bottom - pane.clientHeight * 2 / 3;
}

// The list from one step on, and where more of them can be asked for.
function fillSteps(steps, trace, first) {
  const all = document.createDocumentFragment(), list = [], total = trace.steps.length, last = Math.min(total, first + WINDOW - 1);
  const row = (at, number, who, line, what, failed) => {
    const made = element('li', failed ? 'i-failed' : '');
    made.dataset.at = at;
    made.append(element('span', 'i-number', number), element('span', 'i-who', who), element('span', 'i-at', line), element('span', 'i-what', what));
    all.append(made);
    return made;
  };
  const more = (at, text) => {
    const made = element('li', 'i-more', text);
    made.dataset.at = at;
    all.append(made);
  };
  const mark = () => all.append(element('li', 'i-mark', 'from here on, these steps for ever'));
  const text = part => part.statement === '-end-' ? 'ends' : part.statement;
  if (first > 0) more(first - 1, `\u2191 ${first.toLocaleString('en')} steps before`);
  for (let at = first; at <= last; at++) {
    if (at === 0) {
      list.push(row(0, '0', '', '', 'initial state', false));
      continue;
    }
    const step = trace.steps[at - 1], { part, partner } = step;
    if (trace.cycle_start === at - 1) mark();
    list.push(row(at, step.number, `${part.process}(${part.pid})`, part.line || '', text(part), Boolean(step.error)));
    if (partner) row(at, '', `${partner.process}(${partner.pid})`, partner.line || '', text(partner), false);
  }
  if (last < total) more(last + 1, `\u2193 ${(total - last).toLocaleString('en')} steps more`);
  else if (trace.cycle_start === total) mark();
  steps.replaceChildren(all);
  return { first, list };
}

function initialState(trace) {
  const state = { variables: new Map(), channels: new Map(), processes: new Map() };
  trace.initial.globals.forEach(variable => state.variables.set(variable.name, variable.value));
  trace.initial.channels.forEach(channel => state.channels.set(channel.name, channel.messages));
  trace.initial.processes.forEach(process => birth(state, process));
  return state;
}

function birth(state, process) {
  state.processes.set(process.pid, { pid: process.pid, process: process.process });
  process.variables.forEach(variable => state.variables.set(`${process.process}(${process.pid}):${variable.name}`, variable.value));
}

function advanced(from, trace, first, last) {
  const state = { variables: new Map(from.variables), channels: new Map(from.channels), processes: new Map(from.processes) };
  for (let index = first; index < Math.min(last, trace.steps.length); index++) {
    const step = trace.steps[index];
    for (const change of step.changes) {
      (Array.isArray(change.new) ? state.channels : state.variables).set(change.name, change.new);
    }
    for (const pid of step.ended || []) {
      const process = state.processes.get(pid);
      state.processes.delete(pid);
      const prefix = process && `${process.process}(${pid}):`;
      for (const map of [state.variables, state.channels]) {
        for (const name of [...map.keys()]) if (prefix && name.startsWith(prefix)) map.delete(name);
      }
    }
    (step.created || []).forEach(process => birth(state, process));
  }
  return state;
}

function stepsOfProcesses(trace) {
  const ways = new Map();
  trace.steps.forEach((step, index) => {
    for (const part of [step.part, step.partner].filter(Boolean)) {
      if (!ways.has(part.pid)) ways.set(part.pid, []);
      ways.get(part.pid).push({ index, part });
    }
  });
  return ways;
}

function showState(pane, trace, state, before, step, atEnd) {
  const all = document.createDocumentFragment();
  const old = name => before.variables.has(name) ? before.variables.get(name) : before.channels.get(name);
  const changed = new Map((step ? step.changes : []).map(change => [change.name, { old: old(change.name), new: change.new }]));
  if (atEnd) all.append(element('p', 'i-error', trace.end.message));
  for (const waits of atEnd ? trace.waiting : []) all.append(element('p', 'i-said', waits));
  if (step && step.timeout) all.append(element('p', 'i-said', 'timeout: nothing else could move'));
  if (step && step.output) all.append(element('p', 'i-said', step.output));
  // A channel is shown by what it holds, below, and not again by its name.
  section(all, 'Global variables', [...state.variables].filter(([name]) => !name.includes(':') && !state.channels.has(name)), changed);
  section(all, 'Channels', [...state.channels], changed);
  for (const process of state.processes.values()) {
    const prefix = `${process.process}(${process.pid}):`;
    const own = [...state.variables].filter(([name]) => name.startsWith(prefix));
    section(all, `${process.process}(${process.pid})`, own, changed, prefix.length);
  }
  pane.replaceChildren(all);
}

function section(all, title, entries, changed, prefix = 0) {
  if (!entries.length && !prefix) return;
  all.append(element('h4', '', title));
  const values = element('dl');
  for (const [name, value] of entries) {
    const change = changed.get(name);
    const isNew = change && shown(change.new) === shown(value);
    const term = element('dt', isNew ? 'i-new' : '', name.slice(prefix)), detail = element('dd', isNew ? 'i-new' : '');
    if (isNew && change.old !== undefined) detail.append(element('span', 'i-old', shown(change.old)));
    detail.append(shown(value));
    values.append(term, detail);
  }
  all.append(values);
}
