import { expect, it } from 'vitest';
import { AlertEngine } from '../../../src/app/incidents/alert-engine.ts';
import { type IncidentDependencies, IncidentProcessor } from '../../../src/app/incidents/incident-processor.ts';
import type { Alert } from '../../../src/model/alert.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { trackerSection } from '../../../src/track/settings.ts';
import { catchAllRoute, ruleOf, settingsOf, situationOf } from '../../alert/alerting-testbed.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { FakeDeliverer } from '../fake-deliverer.ts';

const full = ruleOf('full');
const alerts = {
  receivers: [
    { name: 'chat', heartbeat: false, kind: 'webhook', options: {}, secrets: { url: { file: 'chat' } } } as const,
  ],
  routes: [{ ...catchAllRoute, receivers: ['chat'] }],
  rules: { full: settingsOf(full) },
  maintenance: [],
  templates: {},
};

/** Starts a processor of these clusters with the rule above. Returns the alerts that changed, in order, with their status. */
async function processorOf(clusters: readonly string[], situation: IncidentDependencies['situation']) {
  const [clock, log, store, deliverer] = [new FakeClock(), recordingLogger(), memoryStore(), new FakeDeliverer()];
  const changed: Alert[] = [];
  const incidents = new IncidentProcessor({
    clock,
    log,
    store,
    alerts: new AlertEngine({ log, store, digest, rules: [full], deliverer }),
    situation,
    self: () => ({ receivers: [], stateDurable: true, stateProblem: '' }),
    publish: (event) => void (event.kind === 'alert' && changed.push(event.alert)),
  });
  await incidents.configure({ tracker: trackerSection.parse({}), clusters, alerts });
  return { clock, incidents, changed };
}

it('one evaluation begins and ends hundreds of incidents, in turns with other work', async () => {
  const nodes = Array.from({ length: 400 }, (_, at) => ({ node: `m${at}` }));
  let wrong = nodes;
  const { clock, incidents, changed } = await processorOf(['prod'], () => situationOf({ rules: { full: wrong } }));
  const statuses = () => changed.map(({ status }) => status);
  incidents.tick(clock.now());
  expect(changed.length).toBeLessThan(nodes.length);
  for (let turn = 0; turn < 10; turn += 1) await clock.settle();
  expect(statuses()).toEqual(nodes.map(() => 'firing'));
  wrong = [];
  incidents.tick(clock.now());
  for (let turn = 0; turn < 10; turn += 1) await clock.settle();
  expect(statuses().slice(nodes.length)).toEqual(nodes.map(() => 'resolved'));
});

it('clusters of a fleet are evaluated in turn, and those with incidents at each tick', async () => {
  const clusters = Array.from({ length: 30 }, (_, at) => `c${at}`);
  const wrong = new Set(['c7']);
  const evaluated = new Set<string>();
  const { clock, incidents, changed } = await processorOf(clusters, (cluster) => {
    evaluated.add(cluster);
    return situationOf({ cluster, rules: { full: wrong.has(cluster) ? [{ node: 'm1' }] : [] } });
  });
  const firing = () => changed.map(({ labels }) => labels.cluster_name);
  const tick = async (): Promise<readonly string[]> => {
    evaluated.clear();
    incidents.tick(clock.now());
    await clock.advance(1000);
    return [...evaluated];
  };
  expect(await tick()).toEqual(clusters);
  expect(firing()).toEqual(['c7']);
  const turns = [await tick(), await tick(), await tick()];
  expect(turns.map(({ length }) => length)).toEqual([10, 11, 11]);
  expect(turns.every((turn) => turn.includes('c7'))).toBe(true);
  expect(new Set(turns.flat())).toEqual(new Set(clusters));
  wrong.add('c20');
  for (let turn = 0; turn < 3; turn += 1) await tick();
  expect(firing()).toEqual(['c7', 'c20']);
});
