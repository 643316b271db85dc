// Opens pages of `isospin verify --html` in Chromium and uses them as a person would.
// The trace of a counterexample lies beside its page: what the page shows must be what the trace says.
// usage: node check.js PLAYWRIGHT_DIRECTORY SCREENSHOT_DIRECTORY COUNTEREXAMPLE.html LONG.html PROOF.html BRANCHING.html CYCLE.html
'use strict';
const fs = require('fs');
const path = require('path');
const [playwright, screenshots, counterexample, long, proof, branching, cycle] = process.argv.slice(2);
const { chromium } = require(path.join(playwright, 'node_modules', 'playwright-core'));

function check(condition, message) {
  if (!condition) throw new Error(message);
}

async function open(browser, file, viewport, options = {}) {
  const context = await browser.newContext({ viewport, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', error => problems.push(String(error)));
  page.on('console', message => { if (message.type() === 'error') problems.push(message.text()); });
  page.on('request', request => { if (!request.url().startsWith('file:')) problems.push('asked for ' + request.url()); });
  await page.goto('file://' + path.resolve(file));
  return { page, problems, close: () => context.close() };
}

async function at(page) {
  return page.locator('.i-run .i-place').first().textContent();
}

// Nothing may stick out of the window: panes scroll, the page does not, sideways.
async function fits(page, what) {
  const { inner, outer } = await page.evaluate(() => ({ inner: document.documentElement.scrollWidth, outer: window.innerWidth }));
  check(inner <= outer, `${what}: the page is ${inner} wide in a window of ${outer}`);
}

async function steps(browser) {
  const { page, problems, close } = await open(browser, counterexample, { width: 1400, height: 1000 });
  const total = Number(await page.locator('.i-slider').first().getAttribute('max'));
  check(total > 3, 'the counterexample has steps');
  check(await at(page) === `after step ${total} of ${total}`, 'it opens at the end: ' + await at(page));
  check(await page.locator('.i-verdict.i-violated').count() === 1, 'the verdict is there');
  const cut = await page.evaluate(() => [...document.querySelectorAll('.i-p:not(:empty)')].filter(mark => mark.scrollWidth > mark.clientWidth).length);
  check(cut === 0, `${cut} marks of processes beside the source are cut off`);
  await page.keyboard.press('ArrowLeft');
  check(await at(page) === `after step ${total - 1} of ${total}`, 'the left arrow goes back: ' + await at(page));
  await page.keyboard.press('ArrowUp');
  check(await at(page) === `after step ${total - 2} of ${total}`, 'the up arrow goes back: ' + await at(page));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  check(await at(page) === `after step ${total} of ${total}`, 'right and down go on: ' + await at(page));
  await page.keyboard.press('ArrowRight');
  check(await at(page) === `after step ${total} of ${total}`, 'the end is the end');
  await page.keyboard.press('Home');
  check(await at(page) === `initial state of ${total}`, 'Home is the initial state: ' + await at(page));
  // The state after every step is what the trace says.
  const trace = JSON.parse(fs.readFileSync(counterexample.replace('.html', '.trace.json')));
  const wrong = await page.evaluate(async trace => {
    const forward = document.querySelector('[data-go=forward]');
    const valueText = value => Array.isArray(value) ? (value.map(m => '[' + m.join(',') + ']').join('') || '[]') : String(value);
    for (const step of trace.steps) {
      forward.click();
      const shown = [...document.querySelectorAll('.i-state .i-new')].map(each => each.textContent);
      for (const change of step.changes || []) {
        const name = change.name.replace(/^.*\(\d+\):/, '');
        const value = valueText(change.old) + valueText(change.new);
        if (!shown.includes(name) || !shown.includes(value)) return `step ${step.number}: ${name} ${value} not in ${shown}`;
      }
      const inList = document.querySelector('.i-steps .i-now').textContent;
      const text = step.statement === '-end-' ? 'ends' : step.written || step.statement;
      if (inList !== `${step.number}${step.process}(${step.pid})${step.line || ''}${text}`) return `step ${step.number} is shown as ${inList}`;
      const now = [...document.querySelectorAll('.i-lines .i-now')].map(each => each.dataset.line);
      if (step.line && !now.includes(`0:${step.line}`)) return `step ${step.number}: line ${step.line} not in ${now}`;
    }
    const values = [...document.querySelectorAll('.i-state dt')].map(term => [term.textContent, term.nextElementSibling.lastChild.textContent]);
    for (const variable of trace.final.globals) {
      const found = values.find(([name]) => name === variable.name);
      if (trace.final.channels.some(channel => channel.name === variable.name)) continue;
      if (!found || found[1] !== String(variable.value)) return `at the end ${variable.name} is ${found}, not ${variable.value}`;
    }
    return '';
  }, trace);
  check(wrong === '', wrong);
  await page.locator('.i-steps [data-at="2"]').first().click();
  check(await at(page) === `after step 2 of ${total}`, 'a click on a step goes there: ' + await at(page));
  const label = page.locator('.i-chart g[data-step="3"] text').first();
  await label.scrollIntoViewIfNeeded();
  const row = await label.boundingBox();
  await page.mouse.click(row.x + 150, row.y + row.height / 2);
  check(await at(page) === `after step 3 of ${total}`, 'a click in the chart goes there: ' + await at(page));
  await fits(page, 'wide');
  await page.keyboard.press('End');
  check(await at(page) === `after step ${total} of ${total}`, 'End is the end, from the chart too: ' + await at(page));
  await page.screenshot({ path: path.join(screenshots, 'counterexample.png'), fullPage: true });
  check(problems.length === 0, problems.join('; '));
  await close();
}

async function narrow(browser) {
  const { page, problems, close } = await open(browser, counterexample, { width: 380, height: 760 });
  await fits(page, 'narrow');
  const total = await page.locator('.i-slider').first().getAttribute('max');
  await page.locator('[data-go=back]').first().click();
  check((await at(page)).startsWith('after step'), 'the buttons work');
  check((await at(page)).endsWith(total), 'the buttons work');
  await page.screenshot({ path: path.join(screenshots, 'narrow.png'), fullPage: true });
  check(problems.length === 0, problems.join('; '));
  await close();
}

async function dark(browser) {
  const { page, problems, close } = await open(browser, counterexample, { width: 1400, height: 1000 }, { colorScheme: 'dark' });
  await page.screenshot({ path: path.join(screenshots, 'dark.png') });
  check(problems.length === 0, problems.join('; '));
  await close();
}

async function longRun(browser) {
  const start = Date.now();
  const { page, problems, close } = await open(browser, long, { width: 1400, height: 900 });
  const total = Number(await page.locator('.i-slider').first().getAttribute('max'));
  check(total >= 5000, `a run of ${total} steps`);
  const opened = Date.now() - start;
  check(opened < 20000, `opening took ${opened} ms`);
  const isInView = () => page.evaluate(() => {
    const row = document.querySelector('.i-steps .i-now').getBoundingClientRect();
    const pane = document.querySelector('.i-list').getBoundingClientRect();
    return row.top >= pane.top && row.bottom <= pane.bottom + 1;
  });
  check(await isInView(), 'it opens with the last step in view');
  check(await page.locator('.i-steps li').count() < 3000, 'the list holds a part of the steps');
  await page.keyboard.press('Home');
  const each = await page.evaluate(() => {
    const from = performance.now();
    const forward = document.querySelector('[data-go=forward]');
    for (let count = 0; count < 200; count++) forward.click();
    return (performance.now() - from) / 200;
  });
  check(await at(page) === `after step 200 of ${total}`, await at(page));
  check(each < 100, `a step takes ${each} ms`);
  await page.locator('.i-steps .i-more').last().click();
  const first = Number((await at(page)).match(/^after step (\d+)/)[1]);
  check(first > 1500 && first < total, `more steps can be asked for: ${await at(page)}`);
  check(await isInView(), 'the first of them is in view');
  await page.keyboard.press('ArrowRight');
  check(await at(page) === `after step ${first + 1} of ${total}`, 'keys go on from there: ' + await at(page));
  await page.locator('.i-slider').fill(String(total - 3000));
  check(await at(page) === `after step ${total - 3000} of ${total}`, 'the slider goes anywhere: ' + await at(page));
  check(await isInView(), 'the step of the slider is in view');
  await page.locator('.i-list').focus();
  await page.keyboard.press('End');
  check(await isInView(), 'the last step is in view');
  check(await page.locator('.i-chart g[data-step]').count() === 5000, 'the chart shows the last 5,000 steps');
  check(await page.locator(`.i-chart g[data-step="${total}"]`).count() === 1, 'the last step is in the chart');
  check((await page.locator('details', { has: page.locator('.i-chart') }).textContent()).includes('the last 5,000 of'), 'the page says so');
  await page.screenshot({ path: path.join(screenshots, 'long.png') });
  check(problems.length === 0, problems.join('; '));
  await close();
  console.log(`long run: ${total} steps, opened in ${opened} ms, ${each.toFixed(1)} ms a step`);
}

async function proven(browser) {
  const { page, problems, close } = await open(browser, proof, { width: 1200, height: 900 });
  check(await page.locator('.i-verdict.i-holds').count() >= 1, 'the verdict is there');
  check(await page.locator('.i-group rect').count() >= 2, 'the group has its diagram');
  check(await page.locator('.i-run').count() === 0, 'there is nothing to step through');
  await fits(page, 'proof');
  await page.screenshot({ path: path.join(screenshots, 'proof.png'), fullPage: true });
  check(problems.length === 0, problems.join('; '));
  await close();
}

async function tree(browser) {
  const { page, problems, close } = await open(browser, branching, { width: 1200, height: 900 });
  check(await page.locator('.i-verdict.i-violated').count() === 1, 'the verdict is there');
  const root = page.locator('.i-why > li.i-false');
  check(await root.count() === 1, 'the formula does not hold');
  check((await root.textContent()).startsWith('AG EF (x == 0) does not hold'), await root.textContent());
  check(await root.locator('> details tr').count() > 2, 'its run is a table');
  check((await root.locator('> ul > li').first().textContent()).startsWith('after step'), 'what fails behind the run is below it');
  check(await page.locator('.i-lines .i-l').count() === 1, 'the source is what was written');
  await fits(page, 'tree');
  await page.screenshot({ path: path.join(screenshots, 'tree.png'), fullPage: true });
  check(problems.length === 0, problems.join('; '));
  await close();
}

async function goesRound(browser) {
  const { page, problems, close } = await open(browser, cycle, { width: 1200, height: 900 });
  const trace = JSON.parse(fs.readFileSync(cycle.replace('.html', '.trace.json')));
  const before = page.locator('.i-steps .i-mark + li');
  check(await before.getAttribute('data-at') === String(trace.cycle_start + 1), 'the cycle begins where the trace says');
  check(await page.locator('.i-note', { hasText: 'Starved on the cycle' }).count() === 1, 'who is starved is told');
  await fits(page, 'cycle');
  await page.screenshot({ path: path.join(screenshots, 'cycle.png'), fullPage: true });
  check(problems.length === 0, problems.join('; '));
  await close();
}

(async () => {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    for (const part of [steps, narrow, dark, longRun, proven, tree, goesRound]) await part(browser);
  } finally {
    await browser.close();
  }
})().catch(error => {
  console.error(error.message);
  process.exit(1);
});
