import type { PanelModel } from '../tools/generate/dashboards/model.ts';
import type { DrawnPanel } from './dashboard-pictures.ts';
import { notObserved, shades, stateLooks } from './expected-looks.ts';
import type { ResolvedField } from './grafana-fields.ts';

/** A panel in a browser, its definition, and its values as Grafana's library resolves them. */
interface Comparison {
  readonly drawn: DrawnPanel;
  readonly panel: PanelModel;
  readonly fields: readonly ResolvedField[];
}

/** Returns what is wrong with the picture of a panel on a wide screen. */
export function pictureDifferences(comparison: Comparison): readonly string[] {
  const { title, isTitleCut, overflow, failure } = comparison.drawn;
  const found = [
    ...(failure === '' ? [] : [`fails: ${failure}`]),
    ...(isTitleCut ? ['its title is cut off'] : []),
    ...(overflow === 0 ? [] : [`reaches ${overflow} pixels beyond the screen`]),
    ...dataDifferences(comparison),
  ];
  return [...new Set(found)].map((text) => `${title}: ${text}`);
}

function dataDifferences(comparison: Comparison): readonly string[] {
  const { drawn, panel, fields } = comparison;
  const isEmpty = panel.type !== 'stat' && fields.every(({ values }) => values.length === 0);
  const expected = isEmpty ? panel.fieldConfig?.defaults.noValue : '';
  if (drawn.noData !== expected) return [`shows «${drawn.noData}» in place of data, not «${expected}»`];
  return isEmpty ? [] : (differences[panel.type]?.(comparison) ?? [`has the unknown type ${panel.type}`]);
}

const differences: Readonly<Record<string, (comparison: Comparison) => readonly string[]>> = {
  stat: numberDifferences,
  table: tableDifferences,
  timeseries: legendDifferences,
  'state-timeline': bandDifferences,
  heatmap: () => [],
};

function numberDifferences({ drawn: { numbers }, fields }: Comparison): readonly string[] {
  const shown = oneLine(numbers.map(({ text }) => text).join(' '));
  return fields.flatMap(({ values }) =>
    values
      .filter(({ text, color }) => shown !== oneLine(text) || !numbers.every((one) => isSame(one.color, color)))
      .map(({ text, color }) => `shows «${shown}» in ${numbers[0]?.color}, not «${text}» in ${color}`),
  );
}

function tableDifferences({ drawn: { title, headers, cells }, fields }: Comparison): readonly string[] {
  const names = headers.map(({ text }) => text);
  const missing = fields.map(({ name }) => name).filter((name) => !names.includes(name));
  const cut = headers.filter(({ isCut }) => isCut).map(({ text }) => text);
  return [
    ...missing.map((name) => `has no column ${name}`),
    ...cut.map((name) => `has a header that is cut off: ${name}`),
    ...(cells.length === 0 ? ['has no rows'] : []),
    ...cells.flatMap((cell, at) => cellDifferences(cell, `${title}/${names[at % names.length]}`)),
  ];
}

function cellDifferences({ text, background, color }: DrawnPanel['cells'][number], column: string): readonly string[] {
  if (text === '–' && column === 'Clusters/Cluster') return ['has a row without a cluster'];
  if (text === '–' && isSame(color, shades.green)) return ['shows a missing value in green'];
  const looks = stateLooks[column];
  if (looks === undefined) return [];
  const look = [...Object.values(looks), notObserved].find(([name]) => name === text);
  return look !== undefined && isSame(background, shades[look[1]]) ? [] : [`shows «${text}» in ${background}`];
}

/** The worst series are at the top: the highest ones, or the lowest ones if low values are bad. */
function legendDifferences({ drawn: { legend }, panel, fields }: Comparison): readonly string[] {
  const last = new Map(fields.map(({ name, values }) => [oneLine(name), lastNumber(values)]));
  const [worst] = [...last.values()].toSorted((one, other) => (isLowBad(panel) ? one - other : other - one));
  const [first] = legend;
  if (first === undefined) return ['has no legend'];
  return last.get(first) === worst ? [] : [`lists ${first} first, which ends at ${last.get(first)}, not at ${worst}`];
}

function isLowBad({ options }: PanelModel): boolean {
  return JSON.stringify(options).includes('"sortDesc":false');
}

function lastNumber(values: ResolvedField['values']): number {
  return values.map(({ raw }) => raw).findLast((raw) => typeof raw === 'number') ?? Number.NaN;
}

function bandDifferences({ drawn: { title, bands } }: Comparison): readonly string[] {
  const looks = [...Object.values(stateLooks[title] ?? {}), notObserved];
  const wrong = bands.filter(
    ({ text, color }) => !looks.some(([name, shade]) => name === text && isSame(color, shades[shade])),
  );
  return [
    ...(bands.length === 0 ? ['has no bands'] : []),
    ...wrong.map(({ text, color }) => `shows «${text}» in ${color}`),
  ];
}

/** A browser shows one space for several. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
