import { describe, expect, it } from 'vitest';
import { EventBroker } from '../../src/app/api/event-stream.ts';
import { wireIncidents } from '../../src/app/incident-wiring.ts';
import { LatestResults } from '../../src/collect/latest-results.ts';
import { services } from '../../src/collect/services.ts';
import { ok } from '../../src/kernel/result.ts';
import { catchAllRoute, ruleOf, settingsOf } from '../alert/alerting-testbed.ts';
import { createRouteDependencies } from './fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from './fakes.ts';

const away = ruleOf('away', {
  families: ['graphdb_up'],
  evaluate: ({ replicas, nodes }) =>
    replicas
      .filter(({ confirmed }) => confirmed === 'Down')
      .map(() => ({ labels: { node: nodes[0] ?? '' }, facts: {} })),
});

async function setUp() {
  const bed = testbed();
  const config = configOf([clusterOf('prod', ['m1'])], {
    alerts: {
      receivers: [{ name: 'chat', heartbeat: false, kind: 'webhook', options: {}, secrets: { url: { file: 'chat' } } }],
      routes: [{ ...catchAllRoute, receivers: ['chat'] }],
      rules: { away: settingsOf(away) },
      maintenance: [],
      templates: {},
    },
  });
  const dependencies = await createRouteDependencies(config, bed);
  const hub = new EventBroker(bed.clock);
  const parts = { ...bed.parts, rules: [away] };
  let alertChanges = 0;
  const line = wireIncidents(config, {
    ports: bed.ports,
    parts,
    board: new LatestResults(),
    hub,
    scheduler: dependencies.scheduler,
    pollers: () => dependencies.pollers(),
    rejection: () => config.rejection,
    onAlert: () => {
      alertChanges += 1;
    },
  });
  return { ...bed, config, line, hub, alertChanges: () => alertChanges };
}

describe('the path from a poll result to receivers', () => {
  it('leads through tracker, rules and outbox, and to event subscribers', async () => {
    const { line, config, hub, clock, deliverer, alertChanges } = await setUp();
    await line.incidents.configure({ ...config, clusters: ['prod'] });
    const gone = new AbortController();
    const reported: string[] = [];
    const listening = (async () => {
      for await (const piece of hub.subscribe('', gone.signal) ?? []) reported.push(Buffer.from(piece).toString());
    })();
    const feed = {
      cluster: 'prod',
      collector: 'services',
      node: '',
      definition: services,
      labels: {},
      passthrough: false,
    };
    await line.pipeline.setFeeds('prod', [feed]);
    for (let round = 0; round < 3; round += 1) {
      const now = clock.now();
      const state = { service: 'GPE', partition: '1', replica: '1', status: 'Down', process: '', eventId: '' };
      const result = ok([{ ...state, timestampNs: '' }]);
      const reading = { result, source: 'm1', started: now, ended: now };
      await line.pipeline.accept(feed, reading, { interval: 5000, lifetime: 15_000 });
      await clock.advance(5000);
    }
    expect(deliverer.notices.map(({ kind, alert }) => [kind, alert.labels.node])).toEqual([['trigger', 'm1']]);
    expect(line.alerts.alerts()).toHaveLength(1);
    hub.close();
    gone.abort();
    await listening;
    const kinds = reported.flatMap((piece) => /^event: (\w+)/.exec(piece)?.[1] ?? []);
    expect(kinds).toEqual(['transition', 'alert']);
    expect(alertChanges()).toBe(1);
    expect(reported.at(-1)).toContain('"phase":"firing"');
  });
});
