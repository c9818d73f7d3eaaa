import { describe, expect, it } from 'vitest';
import { AlertEngine } from '../../../src/app/incidents/alert-engine.ts';
import type { IncidentEvent } from '../../../src/app/incidents/incident-events.ts';
import { IncidentProcessor } from '../../../src/app/incidents/incident-processor.ts';
import type { CollectorFeed } from '../../../src/app/poll/collector-feed.ts';
import type { TrackerViews } from '../../../src/app/poll/situation-builder.ts';
import { metrics } from '../../../src/collect/metrics.ts';
import { services } from '../../../src/collect/services.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { sampleValues } from '../../../src/model/exposition.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { trackerSection } from '../../../src/track/settings.ts';
import { catchAllRoute, ruleOf, selfRuleOf, settingsOf, situationOf } from '../../alert/alerting-testbed.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { FakeDeliverer } from '../fake-deliverer.ts';
import { fullStore } from './full-store.ts';

const settings = trackerSection.parse({});
const pace = { interval: 5000, lifetime: 15_000 };

function feedOf(definition: CollectorFeed['definition'], cluster = 'prod'): CollectorFeed {
  return { cluster, collector: definition.name, node: '', definition, labels: {}, passthrough: true };
}

function gpe(status: string, replica = '1') {
  return { service: 'GPE', partition: '1', replica, status, process: 'Running', eventId: 'e', timestampNs: '' };
}

function pageWith(code: number) {
  const series = { name: 'svc_service_status', pairs: ['service_name', 'GPE', 'partition', '1', 'replica', '1'] };
  const family = { name: 'svc_service_status', type: 'gauge', help: '', series: [series] } as const;
  return { families: [{ ...family, values: sampleValues([String(code)]) }], prefix: 'svc_', rejected: 0 };
}

/** Fires for what is confirmed to be away. */
const away = ruleOf('away', {
  labels: ['service_name'],
  evaluate: ({ replicas }) =>
    replicas
      .filter(({ confirmed }) => confirmed === 'Down')
      .map(({ service }) => ({ labels: { service_name: service }, facts: {} })),
});
const own = selfRuleOf('delivery_failing');
const alertsSettings = {
  receivers: [
    { name: 'chat', heartbeat: false, kind: 'webhook', options: {}, secrets: { url: { file: 'chat' } } } as const,
  ],
  routes: [{ ...catchAllRoute, receivers: ['chat'] }],
  rules: { away: settingsOf(away), delivery_failing: settingsOf(own) },
  maintenance: [],
  templates: {},
};

function inShort(news: IncidentEvent): string {
  if (news.kind === 'alert') return `${news.alert.status} ${news.alert.rule}`;
  return `${news.transition.from} > ${news.transition.to}`;
}

function situation(cluster: string, tracked: TrackerViews) {
  return { ...situationOf({ rules: {}, cluster }), ...tracked };
}

async function setUp(store: Store = memoryStore()) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const reported: string[] = [];
  const publish = (event: IncidentEvent) => void reported.push(inShort(event));
  const deliverer = new FakeDeliverer();
  const alerts = new AlertEngine({ log, store, digest, rules: [away, own], deliverer });
  const self = () => ({ receivers: deliverer.views(), stateDurable: true, stateProblem: '' });
  const incidents = new IncidentProcessor({ clock, log, store, alerts, situation, self, publish });
  const follow = (clusters: readonly string[], tracker = settings) =>
    incidents.configure({ tracker, clusters, alerts: alertsSettings });
  await follow(['prod']);
  const read = async (
    of: CollectorFeed['definition'],
    result: ReturnType<typeof ok<unknown>> | ReturnType<typeof bad>,
  ) => {
    await clock.advance(5000);
    const now = clock.now();
    incidents.onPollResult(feedOf(of), { result, source: 'm1', started: now, ended: now }, pace);
    await clock.advance(0);
  };
  const statuses = () =>
    incidents.trackedServices().replicas.map(({ observed, confirmed }) => `${observed}/${confirmed}`);
  return { clock, log, reported, incidents, store, read, statuses, follow, deliverer, alerts };
}

function bad() {
  return err(failure('timeout', 'no answer'));
}

describe('incident processor', () => {
  it('tracks service statuses', async () => {
    const { read, statuses, reported } = await setUp();
    await read(services, ok([gpe('Online')]));
    await read(services, ok([gpe('Online')]));
    await read(services, ok([gpe('Down')]));
    expect(statuses()).toEqual(['Down/Online']);
    await read(services, ok([gpe('Down')]));
    expect(statuses()).toEqual(['Down/Down']);
    expect(reported).toEqual([' > Online', 'Online > Down', 'firing away']);
  });

  it('treats a failed poll as no observation, not as a status', async () => {
    const { read, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    await read(services, bad());
    expect(statuses()[0]).toMatch(/^unobserved/);
  });

  it('ignores a failed poll of the other source', async () => {
    const { read, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    await read(metrics, bad());
    expect(statuses()[0]).toMatch(/^Online/);
  });

  it('forgets a replica on request', async () => {
    const { read, incidents, reported, store } = await setUp();
    await read(services, ok([gpe('Online'), gpe('Online', '2')]));
    const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' };
    expect(await incidents.forget({ ...id, replica: '3' })).toEqual(ok(false));
    expect(await incidents.forget({ ...id, cluster: 'other' })).toEqual(ok(false));
    const also = { table: 'counters', put: { name: 'also', value: 1 } };
    expect(await incidents.forget(id, [also])).toEqual(ok(true));
    expect(await store.count({ table: 'counters' })).toEqual(ok(1));
    expect(await incidents.forget(id)).toEqual(ok(false));
    expect(incidents.trackedServices().replicas.map(({ replica }) => replica)).toEqual(['1']);
    expect(await store.count({ table: 'tracker_replicas' })).toEqual({ ok: true, value: 1 });
    expect(reported.at(-1)).toBe('Online > ');
  });

  it('logs an unknown status once when it appears', async () => {
    const { read, log, incidents } = await setUp();
    for (const status of ['Online', 'Hibernating', 'Hibernating', 'Online']) await read(services, ok([gpe(status)]));
    await incidents.forget({ cluster: 'prod', service: 'GPE', partition: '1', replica: '1' });
    expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'unknown service status', fields: { service: 'GPE', status: 'Hibernating' } },
    ]);
  });

  it('compares both sources', async () => {
    const { read, incidents } = await setUp();
    for (let round = 0; round < 20; round += 1) {
      await read(services, ok([gpe('Online')]));
      await read(metrics, ok(pageWith(27)));
    }
    expect(incidents.trackedServices().replicas[0]).toMatchObject({ observed: 'Online', disputed: true });
  });

  it('marks a service as unobserved after a timeout', async () => {
    const { read, incidents, clock, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    incidents.tick(clock.now());
    expect(statuses()[0]).toMatch(/^Online/);
    await clock.advance(60_000);
    incidents.tick(clock.now());
    expect(statuses()[0]).toMatch(/^unobserved/);
  });

  it('ignores clusters that it does not follow', async () => {
    const { incidents, clock } = await setUp();
    const now = clock.now();
    const reading = { result: ok([gpe('Online')]), source: 'm1', started: now, ended: now };
    incidents.onPollResult(feedOf(services, 'test'), reading, pace);
    expect(incidents.trackedServices().replicas).toEqual([]);
    expect(incidents.tracked('test').partitions).toEqual([]);
  });

  it('continues from the stored state', async () => {
    const before = await setUp();
    for (const status of ['Online', 'Online', 'Down', 'Down']) await before.read(services, ok([gpe(status)]));
    const after = await setUp(before.store);
    expect(after.statuses()).toEqual(['unobserved/Down']);
    await after.read(services, ok([gpe('Down')]));
    expect(after.incidents.trackedServices().replicas[0]).toMatchObject({ observed: 'Down', confirmed: 'Down' });
  });

  it('keeps its state when the settings change, and drops a removed cluster', async () => {
    const { read, follow, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    await follow(['prod', 'test'], { ...settings, confirm: 3 });
    expect(statuses()[0]).toMatch(/^Online/);
    await follow(['test']);
    expect(statuses()).toEqual([]);
  });

  it('logs a store failure once, still publishes events, and logs the recovery', async () => {
    const real = memoryStore();
    let full = true;
    const commit: Store['commit'] = async (changes) => (full ? err('the disk is full') : real.commit(changes));
    const store: Store = { ...real, find: real.find.bind(real), count: real.count.bind(real), commit };
    const { read, log, reported } = await setUp(store);
    await read(services, ok([gpe('Online')]));
    await read(services, ok([gpe('Down')]));
    expect(reported).toEqual([' > Online', 'Online > Down']);
    const errors = () => log.lines.filter(({ level }) => level === 'error');
    expect(errors().map(({ message }) => message)).toEqual(['state store write failed']);
    full = false;
    await read(services, ok([gpe('Online')]));
    expect(log.lines.at(-1)?.message).toBe('state store recovered');
  });
});

describe('alerts of the incident processor', () => {
  it.each([1, 700])('begin with the poll that makes %i statuses hard, in its transaction', async (count) => {
    const real = memoryStore();
    const batches: string[][] = [];
    const commit: Store['commit'] = (changes) => {
      batches.push(changes.map(({ table }) => table));
      return real.commit(changes);
    };
    const store: Store = { ...real, find: real.find.bind(real), count: real.count.bind(real), commit };
    const { read, deliverer } = await setUp(store);
    const all = (status: string) => Array.from({ length: count }, (_, replica) => gpe(status, String(replica)));
    await read(services, ok(all('Online')));
    await read(services, ok(all('Down')));
    expect(deliverer.notices).toEqual([]);
    deliverer.change = { table: 'lanes', put: JSON.parse('{"receiver":"chat","key":"k","owed":"{}"}') };
    batches.length = 0;
    await read(services, ok(all('Down')));
    expect(deliverer.notices.map(({ kind }) => kind)).toEqual(['trigger']);
    expect(batches[0]).toEqual(expect.arrayContaining(['tracker_replicas', 'episodes', 'lanes']));
    expect(batches.slice(1).flat()).toEqual(Array(Math.max(0, count - 500)).fill('tracker_replicas'));
  });

  it('are sent after they were stored', async () => {
    const real = memoryStore();
    const stored = Promise.withResolvers<void>();
    let slow = false;
    const commit: Store['commit'] = async (changes) => {
      if (slow) await stored.promise;
      return real.commit(changes);
    };
    const store: Store = { ...real, find: real.find.bind(real), count: real.count.bind(real), commit };
    const { read, deliverer, clock } = await setUp(store);
    for (const status of ['Online', 'Down']) await read(services, ok([gpe(status)]));
    slow = true;
    await read(services, ok([gpe('Down')]));
    expect(deliverer.calls.at(-1)).toBe('plan 1');
    stored.resolve();
    await clock.advance(0);
    expect(deliverer.calls.at(-1)).toBe('release');
  });

  it('are sent even if the store fails', async () => {
    const { read, deliverer } = await setUp(fullStore());
    for (const status of ['Online', 'Down', 'Down']) await read(services, ok([gpe(status)]));
    expect(deliverer.calls.slice(-2)).toEqual(['plan 1', 'release']);
  });

  it('are evaluated at each tick, including those about graphwarden', async () => {
    const { incidents, clock, deliverer, follow, reported } = await setUp();
    const view = { receiver: 'chat', failing: true, result: 'broken', depth: 0, parked: 0 } as const;
    deliverer.views = () => [view];
    incidents.tick(clock.now());
    await clock.advance(0);
    expect(reported).toEqual(['firing delivery_failing']);
    deliverer.views = () => [];
    await follow([]);
    incidents.tick(clock.now());
    await clock.advance(0);
    expect(reported).toHaveLength(1);
  });

  it('are silenced, and notified after the silence ends', async () => {
    const { incidents, alerts, clock, read, deliverer } = await setUp();
    const silence = { id: 's', matchers: [], startsAt: 0, endsAt: 1e15, author: 'me', reason: 'test' };
    expect(await incidents.silence(silence)).toEqual(ok(undefined));
    for (const status of ['Online', 'Down', 'Down']) await read(services, ok([gpe(status)]));
    expect([deliverer.notices, alerts.silences(clock.now()).length]).toEqual([[], 1]);
    expect(await incidents.unsilence('other')).toEqual(ok(false));
    expect(await incidents.unsilence('s')).toEqual(ok(true));
    incidents.tick(clock.now());
    expect(deliverer.notices.map(({ kind }) => kind)).toEqual(['trigger']);
  });

  it('are silenced and unsilenced in one transaction with other changes', async () => {
    const { incidents, store } = await setUp();
    const silence = { id: 's', matchers: [], startsAt: 0, endsAt: 1e15, author: 'me', reason: 'test' };
    const also = { table: 'counters', put: { name: 'acts', value: 1 } };
    expect(await incidents.silence(silence, [also])).toEqual(ok(undefined));
    expect(await incidents.unsilence('s', [{ table: 'nowhere', drop: {} }])).toMatchObject({ ok: false });
    expect(await store.count({ table: 'silences' })).toEqual(ok(1));
    expect(await store.find({ table: 'counters' })).toEqual(ok([also.put]));
  });

  it('are silenced with an error if the store fails', async () => {
    const { incidents, alerts, clock } = await setUp(fullStore());
    const silence = { id: 's', matchers: [], startsAt: 0, endsAt: 1e15, author: 'me', reason: 'test' };
    expect(await incidents.silence(silence)).toEqual(err('the disk is full'));
    expect(alerts.silences(clock.now())).toHaveLength(1);
    expect(await incidents.unsilence('s')).toEqual(err('the disk is full'));
  });
});
