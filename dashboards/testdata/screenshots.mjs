// Looks at the dashboards in a Grafana, as wide as a small laptop, and saves
// what it sees:
//
//   GRAFANA_URL=http://127.0.0.1:3000 node screenshots.mjs FOLDER OUT FILE...
//
// FOLDER is where puppeteer-core is installed, OUT where the pictures go, FILE
// are the dashboards, which that Grafana has under their uids. It fails where a
// panel has no data, where Grafana does not know a panel, and where the browser
// reports an error. CHROMIUM names the browser.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [folder, out, ...files] = process.argv.slice(2);
const grafana = process.env.GRAFANA_URL;
if (!grafana) {
  console.log('skipped: GRAFANA_URL is not set, there is no Grafana to look at');
  process.exit(0);
}

const puppeteer = createRequire(join(resolve(folder), 'package.json'))('puppeteer-core');
const width = 1280;
const perLine = 38; // pixels of a line of Grafana's grid
const settle = 5000; // milliseconds without a request, until all panels are drawn
const bad = ['No data', 'Panel plugin not found', 'An unexpected error happened', 'Dashboard not found', 'Datasource not found'];

// lines returns how many lines of the grid a dashboard has.
const lines = (board) => Math.max(...board.panels.map(({ gridPos }) => gridPos.y + gridPos.h));

// look opens a dashboard, saves a picture and returns what is wrong with it.
async function look(browser, board) {
  const problems = [];
  const page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(`the page fails: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && problems.push(`the console says: ${message.text()}`));
  await page.setViewport({ width, height: lines(board) * perLine + 400 });
  const address = new URL(`d/${board.uid}?kiosk&refresh=`, grafana.endsWith('/') ? grafana : `${grafana}/`);
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 });
  // A dashboard that is drawn anew every second is never idle for long.
  await page.waitForNetworkIdle({ idleTime: settle, timeout: 60_000 }).catch(() => problems.push('the panels never stop loading'));
  const text = await page.evaluate(() => document.body.innerText);
  for (const words of bad) if (text.includes(words)) problems.push(`it says "${words}" ${text.split(words).length - 1} times`);
  for (const { title, type } of board.panels) if (type !== 'row' && !text.includes(title)) problems.push(`there is no panel "${title}"`);
  await page.screenshot({ path: join(out, `${board.uid}.png`) });
  await page.close();
  return problems;
}

mkdirSync(out, { recursive: true });
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
let found = 0;
for (const file of files) {
  const board = JSON.parse(readFileSync(file, 'utf8'));
  const problems = await look(browser, board);
  found += problems.length;
  for (const problem of problems) console.error(`${board.title}: ${problem}`);
}
await browser.close();
console.log(`${files.length} dashboards looked at, ${found} problems; the pictures are in ${out}`);
process.exit(found ? 1 : 0);
