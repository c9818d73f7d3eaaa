import { describe, expect, it } from 'vitest';
import { EventHub } from '../../src/app/event-stream.ts';
import { openIncidentLine } from '../../src/app/incident-line.ts';
import { Board } from '../../src/collect/board.ts';
import { services } from '../../src/collect/services.ts';
import { ok } from '../../src/kernel/result.ts';
import { everything, ruleOf, settingsOf } from '../alert/alerting-bed.ts';
import { siteOf } from './fake-site.ts';
import { clusterOf, configOf, testbed } from './fakes.ts';

const away = ruleOf('away', {
  families: ['graphdb_up'],
  judge: ({ replicas, nodes }) =>
    replicas.filter(({ hard }) => hard === 'Down').map(() => ({ labels: { node: nodes[0] ?? '' }, facts: {} })),
});

async function setUp() {
  const bed = testbed();
  const config = configOf([clusterOf('prod', ['m1'])], {
    alerts: {
      receivers: [{ name: 'chat', heartbeat: false, way: { kind: 'webhook', url: { file: 'chat' } } }],
      routes: [{ ...everything, receivers: ['chat'] }],
      rules: { away: settingsOf(away) },
      maintenance: [],
      templates: {},
    },
  });
  const site = await siteOf(config, bed);
  const hub = new EventHub(bed.clock);
  const parts = { ...bed.parts, rules: [away] };
  const line = openIncidentLine(config, {
    ports: bed.ports,
    parts,
    board: new Board(),
    hub,
    scheduler: site.scheduler,
    watches: () => site.watches(),
  });
  return { ...bed, config, line, hub };
}

describe('the way from a reading to whoever is to hear of it', () => {
  it('leads through tracker, rules and outbox, and past those who look on', async () => {
    const { line, config, hub, clock, deliverer } = await setUp();
    await line.incidents.follow({ ...config, clusters: ['prod'] });
    const gone = new AbortController();
    const told: string[] = [];
    const listening = (async () => {
      for await (const piece of hub.listen(gone.signal) ?? []) told.push(Buffer.from(piece).toString());
    })();
    const feed = { cluster: 'prod', collector: 'services', node: '', of: services, labels: {}, passthrough: false };
    await line.pipeline.declare('prod', [feed]);
    for (let round = 0; round < 3; round += 1) {
      const now = clock.now();
      const state = { service: 'GPE', partition: '1', replica: '1', status: 'Down', process: '', eventId: '' };
      const result = ok([{ ...state, timestampNs: '' }]);
      const reading = { result, source: 'm1', started: now, ended: now };
      await line.pipeline.take(feed, reading, { interval: 5000, lifetime: 15_000 });
      await clock.advance(5000);
    }
    expect(deliverer.notices.map(({ kind, alert }) => [kind, alert.labels.node])).toEqual([['trigger', 'm1']]);
    expect(line.alerts.alerts()).toHaveLength(1);
    hub.end();
    gone.abort();
    await listening;
    const kinds = told.flatMap((piece) => /^event: (\w+)/.exec(piece)?.[1] ?? []);
    expect(kinds).toEqual(['transition', 'alert']);
    expect(told.at(-1)).toContain('"phase":"firing"');
  });
});
