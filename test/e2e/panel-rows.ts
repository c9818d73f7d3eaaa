import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { wrong } from '../../tools/generate/dashboards/cluster/wrong.ts';
import { instanceLabel } from '../../tools/generate/dashboards/promql.ts';
import { familiesIn } from '../../tools/generate/rules/aggregation.ts';
import { testRules } from '../support/promtool.ts';
import { interpolate } from './panel-results.ts';
import { written } from './rules/promtool-cases.ts';

type Labels = Readonly<Record<string, string>>;

/** Label that names the column of a table in the output of promtool. */
const columnLabel = 'shown_column';
const columns = ['Severity', 'Firing', 'Status', 'Response', 'Online replicas'] as const;

/** Row of a table of the dashboard. */
export interface PanelRow {
  readonly column: (typeof columns)[number];
  /** Subject of the row: a rule with its cluster, a service instance, a node or a partition. */
  readonly subject: string;
  readonly value: number;
}

const variables = { job: '.*', instance: '.*', cluster_name: '.*', node: '.*', graph: '.*', service_name: '.*' };
const queries = wrong.panels.flatMap(({ queries: own }) => own);
const expressions = columns.map((column) => {
  const { expr } = queries.find(({ legend }) => legend === column) ?? expect.fail(`no column ${column}`);
  return `label_replace(${interpolate(expr, variables)}, "${columnLabel}", "${column}", "", "")`;
});

/** Metric families that the tables of problems use. */
export const panelFamilies = new Set(queries.flatMap(({ expr }) => familiesIn(expr)));

/**
 * Returns the rows of the dashboard's tables of problems at each second, from the values of the series at each
 * second. promtool evaluates the expressions of the panels.
 */
export async function panelRows(
  series: ReadonlyMap<string, readonly (number | undefined)[]>,
  seconds: number,
): Promise<readonly (readonly PanelRow[])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'panel-rows-'));
  try {
    const test = {
      interval: '1s',
      input_series: [...series].map(([name, values]) => ({
        series: name.replace(/}$/, `${name.endsWith('{}') ? '' : ','}job="graphwarden",instance="one"}`),
        values: written(values),
      })),
      // Nothing is expected, so that promtool prints the actual samples: it has no other way to output them.
      promql_expr_test: Array.from({ length: seconds }, (_, second) =>
        expressions.map((expr) => ({ expr, eval_time: `${second}s`, exp_samples: [] })),
      ).flat(),
    };
    writeFileSync(join(folder, 'test.yml'), stringify({ evaluation_interval: '1s', tests: [test] }, { lineWidth: 0 }));
    return rowsIn((await testRules(folder, ['test.yml'])).get('test.yml') ?? '', seconds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rowsIn(text: string, seconds: number): readonly (readonly PanelRow[])[] {
  const rows = Array.from<unknown, PanelRow[]>({ length: seconds }, () => []);
  for (const [, time = '', got = ''] of text.matchAll(/time: (\w+),\s+exp: nil\s+got: (.*)/g)) {
    for (const [, labels = '', value] of got.matchAll(/\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} (\S+?)(?:,|$)/g))
      rows[secondOf(time)]?.push(rowOf(labelsIn(labels), Number(value)));
  }
  if (/error|unexpected/i.test(text)) throw new Error(text.slice(0, 2000));
  return rows;
}

/** promtool writes 70 seconds as `1m10s`. */
function secondOf(time: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(time) ?? expect.fail(time);
  return Number(minutes) * 60 + Number(seconds);
}

function labelsIn(text: string): Labels {
  return Object.fromEntries(
    Array.from(text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, name = '', value = '']) => [name, value]),
  );
}

function rowOf(labels: Labels, value: number): PanelRow {
  const column = columns.find((one) => one === labels[columnLabel]) ?? expect.fail(JSON.stringify(labels));
  const { cluster_name = '', rule, node, [instanceLabel]: instance = '' } = labels;
  return { column, subject: rule === undefined ? (node ?? instance) : `${cluster_name}/${rule}`, value };
}
