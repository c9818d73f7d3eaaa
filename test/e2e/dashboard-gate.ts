import { mkdirSync, writeFileSync } from 'node:fs';
import type { PanelModel } from '../tools/generate/dashboards/model.ts';
import type { TruthLog } from './dashboard-truth.ts';
import { type Cell, lookOfNumber, notObserved, rightTexts, shades, stateLooks } from './expected-looks.ts';
import type { ResolvedField } from './grafana-fields.ts';
import { magnitudeOf } from './magnitude.ts';

/** A panel in one scenario, as one version of Grafana shows it. */
export interface ResolvedPanel {
  readonly dashboard: string;
  readonly scenario: string;
  readonly version: string;
  readonly panel: PanelModel;
  readonly fields: readonly ResolvedField[];
}

/** Differences between what a panel shows and what it should show. */
export interface PanelReport {
  readonly panel: string;
  readonly scenario: string;
  readonly version: string;
  readonly values: number;
  /** Each text with its color, without numbers. */
  readonly looks: readonly string[];
  readonly differences: readonly string[];
}

/** Folder of the report; it is not committed. */
const folder = '.reports';

/** Compares a panel with the truth at the end of the scenario, `at` in ms. */
export function inspect(shown: ResolvedPanel, truth: TruthLog, at: number): PanelReport {
  const cells = cellsOf(shown, at);
  const states = cells.filter(
    ({ raw, text }) => raw === null || (text !== '' && Number.isNaN(Number.parseFloat(text))),
  );
  return {
    panel: `${shown.dashboard}: ${shown.panel.title}`,
    scenario: shown.scenario,
    version: shown.version,
    values: cells.length,
    looks: [...new Set(states.map(({ text, color }) => `${text} ${color}`))].slice(0, 20),
    differences: [...new Set(cells.flatMap((cell) => differences(cell, truth)))],
  };
}

/** Writes the report of all panels for people and for later comparisons. */
export function writeReport(reports: readonly PanelReport[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/dashboards.json`, `${JSON.stringify(reports, null, 1)}\n`);
}

/** Returns the values of a panel, each with the labels of its series or its row. */
function cellsOf({ panel, fields }: ResolvedPanel, end: number): readonly Cell[] {
  return fields.flatMap((field) => field.values.map((value, row) => cellOf(panel, { fields, field, value, row, end })));
}

interface CellSource {
  readonly fields: readonly ResolvedField[];
  readonly field: ResolvedField;
  readonly value: ResolvedField['values'][number];
  readonly row: number;
  readonly end: number;
}

function cellOf({ title, type }: PanelModel, { fields, field, value, row, end }: CellSource): Cell {
  const isTable = type === 'table';
  const columns = fields.filter((one) => one.type === 'string');
  const ofRow = Object.fromEntries(columns.map((one) => [one.source, String(one.values[row]?.raw ?? '')]));
  return {
    title,
    type,
    column: isTable ? field.name : '',
    labels: isTable ? ofRow : field.labels,
    unit: field.unit,
    hasStates: field.mapped,
    isColored: !isTable || field.cell !== 'auto',
    ...value,
    at: value.at === null || isTable ? end : value.at,
  };
}

function differences(given: Cell, truth: TruthLog): readonly string[] {
  // Grafana gives a number without any series the value 0.
  const isMissing = given.type === 'stat' && given.text === 'unknown';
  const cell = isMissing ? { ...given, raw: null } : given;
  const found = [...lookDifferences(cell), ...numberDifferences(cell), ...cellDifferences(cell)];
  const right = rightTexts(cell, truth);
  if (right !== undefined && !right.includes(cell.text))
    found.push(`shows ${cell.text} while ${right.join(' or ')} is true`);
  const location = [cell.column, ...Object.values(cell.labels)].filter((part) => part !== '').join(' ');
  return found.map((text) => `${location}: ${text}`);
}

/** Compares text and color of a state, and the color of a number that is good or bad. */
function lookDifferences(cell: Cell): readonly string[] {
  const { title, column, raw, text, color, hasStates, isColored } = cell;
  if (!hasStates) return isColored ? colorDifferences(cell, lookOfNumber(cell)) : [];
  const looks = stateLooks[column === '' ? title : `${title}/${column}`];
  const look = raw === null ? notObserved : looks?.[String(raw)];
  if (look === undefined) return [`no text and color are expected for ${raw}`];
  const wrongText = text === look[0] ? [] : [`${raw} is shown as «${text}», not as «${look[0]}»`];
  return [...wrongText, ...colorDifferences({ ...cell, color }, [look[1]])];
}

function colorDifferences({ raw, color }: Cell, expected: readonly (keyof typeof shades)[]): readonly string[] {
  if (expected.length === 0) return [];
  const isRight = expected.some((name) => shades[name].toLowerCase() === color.toLowerCase());
  return isRight ? [] : [`${raw} has the color ${color}, not ${expected.join(' or ')}`];
}

/** An empty cell of a table must not look like a panel without data. */
function cellDifferences({ type, raw, text }: Cell): readonly string[] {
  const isEmpty = type === 'table' && (raw === null || raw === '');
  return isEmpty && !['–', notObserved[0]].includes(text) ? [`an empty cell shows «${text}»`] : [];
}

/** A number must have the magnitude of its value, and a missing one must not look like a number. */
function numberDifferences({ type, raw, text, unit, hasStates }: Cell): readonly string[] {
  if (hasStates || typeof raw === 'string' || (type === 'heatmap' && raw === null)) return [];
  if (raw === null) return /^\d/.test(text) ? [`a missing value is shown as ${text}`] : [];
  const shown = magnitudeOf(text, unit);
  if (shown === undefined) return [`«${text}» is not in the unit ${unit}`];
  const isClose = Math.abs(shown.value - raw) <= Math.max(shown.precision, Math.abs(raw) * 0.06);
  return isClose ? [] : [`${raw} is shown as «${text}»`];
}
