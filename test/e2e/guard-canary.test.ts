import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { send } from '../support/http.ts';
import { RecordedSpans } from '../support/recorded-spans.ts';
import { listen } from '../support/reusable-port.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { abortCalls, type GuardEnvironment, startGuardEnvironment } from './guard-environment.ts';
import { NetworkClock } from './network-clock.ts';
import { type PlantedSecret, randomSecret } from './planted-secrets.ts';

const urls = 1000;
const tables = ['guard_intents', 'guard_outcomes', 'guard_actions', 'guard_standing', 'episodes', 'notifications'];
const pages = [
  '/',
  '/metrics',
  '/docs/metrics',
  '/api/v1/clusters',
  '/api/v1/collectors',
  '/api/v1/alerts?limit=1000',
  '/api/v1/queries?limit=1000',
  '/api/v1/guard',
  '/api/v1/guard/decisions?limit=1000',
  '/api/v1/guard/audit?limit=1000',
];

const roomy = { max: 1000, within: '1h' };
const guard = {
  mode: 'enforce',
  budgets: { per_node: roomy, per_cluster: roomy },
  breakers: { same_query: { aborts: 40, within: '1h' } },
  policies: [
    {
      name: 'by-parameter',
      mode: 'enforce',
      when: { age: '> 20s', params: { tier: 'gold', customer: '*' } },
      grace: '1s',
      cooldown: '0s',
      victims: { max: 100 },
      notify: ['oncall-db'],
    },
    { name: 'by-pattern', when: { age: '> 20s', params: { customer: 're:^[A-Za-z].*$' } }, grace: '1s' },
    { name: 'by-age', mode: 'enforce', when: { query: 'slow_*', age: '> 20s' }, grace: '1s', cooldown: '0s' },
  ],
};

/** All that the daemon has said and kept, one text for each place. */
async function textsOf({ daemon }: GuardEnvironment, store: Store): Promise<readonly (readonly [string, string])[]> {
  const shown = pages.map(async (path) => {
    const { status, text } = await send(daemon().url + path);
    expect(status, path).toBe(200);
    return [path, text] as const;
  });
  const stored = tables.map(async (table) => {
    const found = await store.find({ table });
    expect(found.ok, table).toBe(true);
    return [table, JSON.stringify(found)] as const;
  });
  return [...(await Promise.all([...shown, ...stored])), ['the log', JSON.stringify(daemon().log)]];
}

/** Every form that shows in any text, upper or lower case. The beginnings of all words are looked up first: that is quick. */
function secretsFoundIn(
  said: readonly (readonly [string, string])[],
  secrets: readonly PlantedSecret[],
): readonly string[] {
  const texts = said.map(([output, text]) => [output, text.toLowerCase()] as const);
  const forms = new Set(secrets.flatMap((one) => one.forms.map((form) => form.toLowerCase())));
  const prefixes = new Set([...forms].map((form) => form.slice(0, 6)));
  const lengths = new Set([...prefixes].map(({ length }) => length));
  const found = new Set<string>();
  for (const [, text] of texts) for (const length of lengths) addSlicesIn(prefixes, text, length, found);
  const possible = [...forms].filter((form) => found.has(form.slice(0, 6)));
  return possible.flatMap((form) =>
    texts.filter(([, text]) => text.includes(form)).map(([output]) => `${output} shows ${form}`),
  );
}

/** Adds the slices of a text that are in a set. */
function addSlicesIn(wanted: ReadonlySet<string>, text: string, length: number, found: Set<string>): void {
  for (let at = 0; at < text.length; at += 1) {
    const slice = text.slice(at, at + length);
    if (wanted.has(slice)) found.add(slice);
  }
}

it('no output contains personal data of a thousand urls', async () => {
  const random = seededRandom(77);
  const clock = new NetworkClock();
  const receivers = await startSimulatedReceivers([{ name: 'oncall-db', kind: 'webhook' }], { listen, clock });
  onTestFinished(() => receivers.close());
  const store = memoryStore();
  const recordedSpans = new RecordedSpans();
  const environment = await startGuardEnvironment({
    guard,
    clock,
    simulated: { nodes: 2, maxConcurrentQueries: 2 * urls },
    world: { store, spans: recordedSpans },
    more: {
      alerts: {
        receivers: receivers.all.map(({ name, url }) => ({ name, webhook: { url } })),
        routes: [{ receivers: ['oncall-db'], group_wait: '1s', group_interval: '1s' }],
      },
    },
  });
  onTestFinished(() => environment.stop());
  const secrets: PlantedSecret[] = [];
  for (let index = 0; index < urls; index += 1) {
    const one = randomSecret(index, random);
    const tier = index % 10 === 0 ? 'gold' : 'plain';
    const query = index % 3 === 0 ? 'slow_scan' : `scan_${index % 7}`;
    const parameters = `tier=${tier}&customer=${one.written}&note=${one.written}`;
    const order = { graph: 'fraud', query, parameters, runsFor: 3_600_000, timeout: 3_600_000 };
    environment.simulator.control.startQuery({ ...order, node: index % 2 === 0 ? 'm1' : 'm2' });
    secrets.push(one);
  }
  await environment.run(60_000);
  const lists = await Promise.all(
    environment.simulator.nodes.map(({ url }) => send(`${url}/restpp/showprocesslistall`)),
  );
  const listed = lists.map(({ text }) => text).join('');
  expect(secretsFoundIn([['the lists', listed]], secrets).length).toBeGreaterThanOrEqual(urls / 2);
  const aborts = environment.simulator.aborts();
  expect(aborts.length).toBeGreaterThanOrEqual(20);
  for (let more = 0; receivers.requests().length < 5 && more < 60; more += 1) await environment.run(1_000);
  const notifications = receivers.requests();
  expect(notifications.length).toBeGreaterThanOrEqual(5);
  const cycles = new Set(recordedSpans.roots('collect queries').map(({ traceId }) => traceId));
  const traced = recordedSpans.roots('abort query');
  expect(traced).toHaveLength(aborts.length);
  expect(traced.filter(({ links }) => !links.some(({ traceId }) => cycles.has(traceId)))).toEqual([]);
  const said = [
    ...(await textsOf(environment, store)),
    ['notifications', JSON.stringify(notifications)] as const,
    ['calls', JSON.stringify(abortCalls(environment.simulator))] as const,
    ['spans', JSON.stringify(recordedSpans.spans)] as const,
  ];
  process.stdout.write(`${secrets.length} urls, ${aborts.length} aborts, ${notifications.length} notifications\n`);
  process.stdout.write(`${said.map(([output, text]) => `${output}: ${text.length}`).join(', ')}\n`);
  const leaks = secretsFoundIn(said, secrets);
  expect(leaks).toEqual([]);
  expect(said.filter(([, text]) => text.includes('slow_scan')).length).toBeGreaterThanOrEqual(6);
});
