import { expect, it, onTestFinished } from 'vitest';
import type { ScenarioName } from '../../src/simulator/world/scenarios.ts';
import { send } from '../support/http.ts';
import type { LogLine } from '../support/logger.ts';
import { type GuardEnvironment, startEnvironment } from './guard-environment.ts';

const often = { enabled: true, interval: '10s', timeout: '5s' };
const anyUser = { basic: { username: 'monitor', password: 'simulated' } };

async function open(scenario: ScenarioName): Promise<GuardEnvironment> {
  const environment = await startEnvironment({
    simulated: { nodes: 1, scenario, graphs: ['fraud'] },
    cluster: { read_auth: anyUser },
    collectors: { schema: often, data_sources: often, user_functions: often },
    guard: {},
  });
  onTestFinished(() => environment.stop());
  return environment;
}

function changesIn(log: readonly LogLine[]): readonly string[] {
  return log
    .filter(({ message }) => message === 'inventory changed')
    .map(({ fields }) => [fields.object, fields.change, fields.item, fields.detail ?? ''].join(' ').trim())
    .toSorted();
}

it('a change of the schema is counted, and logged with added, removed and changed entries', async () => {
  const environment = await open('schema_change');
  await environment.run(25_000);
  expect(changesIn(environment.daemon().log)).toEqual([]);
  await environment.run(35_000);
  expect(changesIn(environment.daemon().log)).toEqual([
    expect.stringMatching(/^function_file changed ExprFunctions -sha256 \w{12}, \+sha256 \w{12}$/),
    'index removed fraud/by_opened_at',
    'schema_change_job added fraud/add_risk_score',
    'vertex_type changed fraud/Account -opened_at DATETIME indexed, +risk_score FLOAT',
  ]);
  const { text } = await send(`${environment.daemon().url}/metrics`);
  expect(text).toMatch(/^graphdb_inventory_changes_total\{.*object="vertex_type",change="changed".*\} 1$/m);
});

it('a changed data source is logged without its configuration, which is absent from the page', async () => {
  const environment = await open('bad_load');
  await environment.run(60_000);
  const { log, url } = environment.daemon();
  expect(changesIn(log)).toEqual(['data_source changed fraud/transfers configuration']);
  const { text } = await send(`${url}/metrics`);
  for (const shown of [JSON.stringify(log), text]) expect(shown).not.toMatch(/kafka-[12]\.example|security\.protocol/);
});
