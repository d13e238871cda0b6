// Checks the words of dashboards that only Grafana knows: ids of units, reducers,
// transformations, colours, colour modes and field matchers, spans of time.
//
//   node ids.mjs FOLDER FILE...
//
// FOLDER is where @grafana/data is installed. A wrong word shows nothing in
// Grafana, and no error either.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

// The library asks the browser for its language.
Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-US', languages: ['en-US'] }, configurable: true });

const [folder, ...files] = process.argv.slice(2);
const grafana = createRequire(join(resolve(folder), 'package.json'))('@grafana/data');

const units = new Set(grafana.getValueFormats().flatMap((group) => group.submenu.map((unit) => unit.value)));
const reducers = new Set(grafana.fieldReducers.list().map((reducer) => reducer.id));
const transformers = new Set(Object.values(grafana.standardTransformers).map((transformer) => transformer.id));
const modes = new Set(grafana.fieldColorModeRegistry.list().map((mode) => mode.id));
const matchers = new Set(grafana.fieldMatchers.list().map((matcher) => matcher.id));
const colors = grafana.createTheme().visualization;

const kinds = {
  unit: (word) => units.has(word) || /^(suffix|prefix|time|si|count|currency|bool):./.test(word),
  reducer: (word) => reducers.has(word),
  transformation: (word) => transformers.has(word),
  mode: (word) => modes.has(word),
  matcher: (word) => matchers.has(word),
  color: (word) => /^(#|rgb)/.test(colors.getColorByName(word)),
  range: (word) => grafana.rangeUtil.isRelativeTime(word) && grafana.dateMath.isValid(word),
  interval: (word) => /^\d+(ms|s|m|h|d)$/.test(word) && grafana.rangeUtil.intervalToMs(word) > 0,
};

// words yields [kind, word, place] for every word of a tree.
function* words(tree, place) {
  if (tree === null || typeof tree !== 'object') return;
  for (const [key, value] of Object.entries(tree)) {
    const at = `${place}/${key}`;
    const all = [value].flat();
    if (['color', 'fixedColor', 'iconColor'].includes(key) && typeof value === 'string') yield ['color', value, at];
    if (key === 'unit' || (key === 'value' && tree.id === 'unit')) yield ['unit', value, at];
    if (key === 'calcs' || key === 'reducer') for (const word of all) yield ['reducer', word, at];
    if (key === 'transformations') for (const { id } of all) yield ['transformation', id, at];
    if (key === 'matcher') yield ['matcher', value.id, at];
    if (key === 'color' && value?.mode && !('scheme' in value)) yield ['mode', value.mode, at];
    if (key === 'time') for (const word of [value.from, value.to]) yield ['range', word, at];
    if (key === 'refresh' || key === 'interval') if (typeof value === 'string') yield ['interval', value, at];
    if (key === 'refresh_intervals') for (const word of all) yield ['interval', word, at];
    yield* words(value, at);
  }
}

// check returns what is wrong in a dashboard, and counts its words by kind.
function check(name, dashboard, counts) {
  const problems = [];
  for (const [kind, word, at] of words(dashboard, name)) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (!kinds[kind](word)) problems.push(`${at}: ${JSON.stringify(word)} is no ${kind} that Grafana knows`);
  }
  return problems;
}

// spoil replaces the first word of a kind by one that nobody knows.
function spoil(dashboard, kind) {
  for (const [found, word] of words(dashboard, '')) {
    if (found === kind) return JSON.parse(JSON.stringify(dashboard).replaceAll(JSON.stringify(word), '"nonsense"'));
  }
  return null;
}

const counts = {};
const problems = [];
const boards = files.map((file) => [file, JSON.parse(readFileSync(file, 'utf8'))]);
for (const [file, board] of boards) problems.push(...check(file, board, counts));
for (const kind of Object.keys(kinds)) {
  const wrong = boards.map(([file, board]) => [file, spoil(board, kind)]).filter(([, board]) => board);
  if (!wrong.length) problems.push(`no dashboard has a ${kind}`);
  for (const [file, board] of wrong) {
    if (!check(file, board, {}).some((text) => text.includes(`is no ${kind} `))) problems.push(`${file}: a wrong ${kind} is not found`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${files.length} dashboards: ${Object.entries(counts).map(([kind, n]) => `${n} words of the kind ${kind}`).join(', ')}`);
process.exit(problems.length ? 1 : 0);
