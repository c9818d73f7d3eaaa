import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { alertGroups, recordingGroups } from '../../../tools/generate/rules/rule-files.ts';
import { testRules } from '../../support/promtool.ts';
import { withoutTexts, written } from './promtool-cases.ts';
import type { Firing, Recording } from './recording.ts';

/** Labels that a scrape attaches. */
const attached = 'job="graphwarden",instance="127.0.0.1:9916"';

/** Returns the alerts that Prometheus fires for the same pages, scrape by scrape. */
export async function replay({ every, start, series, firing }: Recording): Promise<readonly (readonly Firing[])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alert-replay-'));
  try {
    const groups = withoutTexts([...recordingGroups(), ...alertGroups()]);
    writeFileSync(join(folder, 'rules.yml'), stringify({ groups }, { lineWidth: 0 }));
    const test = {
      interval: `${every}s`,
      input_series: [...besides({ every, start, firing }), ...series].map(([name, values]) => ({
        series: name.replace(/}$/, `${name.endsWith('{}') ? '' : ','}${attached}}`),
        values: written(name.includes('_timestamp_seconds') ? values.map((value) => since(value, start)) : values),
      })),
      // Nothing is expected, so that promtool prints the actual samples: it has no other way to output them.
      promql_expr_test: firing.map((_, scrape) => ({
        expr: 'ALERTS{alertstate="firing"}',
        eval_time: `${scrape * every}s`,
        exp_samples: [],
      })),
    };
    const file = {
      rule_files: ['rules.yml'],
      group_eval_order: groups.map(({ name }) => name),
      evaluation_interval: `${every}s`,
      tests: [test],
    };
    writeFileSync(join(folder, 'test.yml'), stringify(file, { lineWidth: 0 }));
    const output = (await testRules(folder, ['test.yml'])).get('test.yml') ?? '';
    return firingsIn(output, firing.length, every);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns series that the recording does not have: `up`, and the start of the process, which began with the recording. */
function besides({ every, start, firing }: Pick<Recording, 'every' | 'start' | 'firing'>) {
  const begun = 'graphwarden_config_last_reload_success_timestamp_seconds{}';
  return [['up{}', firing.map(() => 1)] as const, [begun, firing.map(() => start - every)] as const];
}

/** Converts a timestamp to the clock of promtool, which begins at zero. The timestamp 0 means never. */
function since(value: number | undefined, start: number): number | undefined {
  return value === undefined || value === 0 ? value : value - start;
}

function firingsIn(said: string, scrapes: number, every: number): readonly (readonly Firing[])[] {
  const found = Array.from<unknown, readonly Firing[]>({ length: scrapes }, () => []);
  for (const [, time = '', got = ''] of said.matchAll(/time: (\w+),\s+exp: nil\s+got: (.*)/g)) {
    found[secondsIn(time) / every] = [...got.matchAll(/\{([^}]*)\}/g)].map(([, labels = '']) => firingOf(labels));
  }
  // The watchdog always fires: without it the output was not understood.
  if (found.some((one) => one.length === 0)) throw new Error(`promtool said ${said.slice(0, 2000)}`);
  return found;
}

function secondsIn(time: string): number {
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };
  return [...time.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  );
}

function firingOf(text: string): Firing {
  const labels = Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  );
  const { alertname = '', severity = '', alertstate: _, __name__: __, job: ___, ...identity } = labels;
  return { alert: alertname, severity, identity };
}
