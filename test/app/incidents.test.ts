import { describe, expect, it } from 'vitest';
import type { Feed } from '../../src/app/content.ts';
import { Incidents } from '../../src/app/incidents.ts';
import { metrics } from '../../src/collect/metrics.ts';
import { services } from '../../src/collect/services.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { Store } from '../../src/kernel/store.ts';
import { valueTexts } from '../../src/model/value-texts.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';

const settings = { confirm: 2, hold: 0, forget: 86_400_000, flapping: { window: 21, on: 0.3, off: 0.25 } };
const pace = { interval: 5000, lifetime: 15_000 };

function feedOf(of: Feed['of'], cluster = 'prod'): Feed {
  return { cluster, collector: of.name, node: '', of, labels: {}, passthrough: true };
}

function gpe(status: string, replica = '1') {
  return { service: 'GPE', partition: '1', replica, status, process: 'Running', eventId: 'e', timestampNs: '' };
}

/** The informant's page with one code. */
function pageWith(code: number) {
  const series = { name: 'svc_service_status', pairs: ['service_name', 'GPE', 'partition', '1', 'replica', '1'] };
  const family = { name: 'svc_service_status', type: 'gauge', help: '', series: [series] } as const;
  return { families: [{ ...family, values: valueTexts([String(code)]) }], prefix: 'svc_', rejected: 0 };
}

async function setUp(store: Store = memoryStore()) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const told: string[] = [];
  const publish = ({ from, to }: { readonly from: string; readonly to: string }) => void told.push(`${from} > ${to}`);
  const incidents = new Incidents({ clock, log, store, publish });
  await incidents.follow(['prod'], settings);
  const read = async (of: Feed['of'], result: ReturnType<typeof ok<unknown>> | ReturnType<typeof bad>) => {
    await clock.advance(5000);
    const now = clock.now();
    incidents.taken(feedOf(of), { result, source: 'm1', started: now, ended: now }, pace);
    await clock.advance(0);
  };
  const statuses = () => incidents.views().replicas.map(({ observed, hard }) => `${observed}/${hard}`);
  return { clock, log, told, incidents, store, read, statuses };
}

function bad() {
  return err(failure('timeout', 'no answer'));
}

describe('the line behind the readings', () => {
  it('tracks what services say', async () => {
    const { read, statuses, told } = await setUp();
    await read(services, ok([gpe('Online')]));
    await read(services, ok([gpe('Online')]));
    await read(services, ok([gpe('Down')]));
    expect(statuses()).toEqual(['Down/Online']);
    await read(services, ok([gpe('Down')]));
    expect(statuses()).toEqual(['Down/Down']);
    expect(told).toEqual([' > Online', 'Online > Down']);
  });

  it('takes a failed reading for silence, not for a status', async () => {
    const { read, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    await read(services, bad());
    expect(statuses()[0]).toMatch(/^unobserved/);
  });

  it('takes a failed reading of the other source for nothing', async () => {
    const { read, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    await read(metrics, bad());
    expect(statuses()[0]).toMatch(/^Online/);
  });

  it('forgets a replica that will not come back, if it knows it', async () => {
    const { read, incidents, told, store } = await setUp();
    await read(services, ok([gpe('Online'), gpe('Online', '2')]));
    const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: '2' };
    expect(incidents.forget({ ...id, replica: '3' })).toBe(false);
    expect(incidents.forget({ ...id, cluster: 'other' })).toBe(false);
    expect(incidents.forget(id)).toBe(true);
    expect(incidents.forget(id)).toBe(false);
    expect(incidents.views().replicas.map(({ replica }) => replica)).toEqual(['1']);
    expect(await store.count({ table: 'tracker_replicas' })).toEqual({ ok: true, value: 1 });
    expect(told.at(-1)).toBe('Online > ');
  });

  it('writes a status that nobody knows into the log, word by word, when it comes', async () => {
    const { read, log, incidents } = await setUp();
    for (const status of ['Online', 'Hibernating', 'Hibernating', 'Online']) await read(services, ok([gpe(status)]));
    incidents.forget({ cluster: 'prod', service: 'GPE', partition: '1', replica: '1' });
    expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'a status that the documents do not name', fields: { service: 'GPE', status: 'Hibernating' } },
    ]);
  });

  it('compares both sources', async () => {
    const { read, incidents } = await setUp();
    for (let round = 0; round < 20; round += 1) {
      await read(services, ok([gpe('Online')]));
      await read(metrics, ok(pageWith(27)));
    }
    expect(incidents.views().replicas[0]).toMatchObject({ observed: 'Online', disputed: true });
  });

  it('hears of silence from time alone', async () => {
    const { read, incidents, clock, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    incidents.beat(clock.now());
    expect(statuses()[0]).toMatch(/^Online/);
    await clock.advance(60_000);
    incidents.beat(clock.now());
    expect(statuses()[0]).toMatch(/^unobserved/);
  });

  it('ignores clusters that it does not follow', async () => {
    const { incidents, clock } = await setUp();
    const now = clock.now();
    const reading = { result: ok([gpe('Online')]), source: 'm1', started: now, ended: now };
    incidents.taken(feedOf(services, 'test'), reading, pace);
    expect(incidents.views().replicas).toEqual([]);
    expect(incidents.tracked('test').partitions).toEqual([]);
  });

  it('goes on from what was stored', async () => {
    const before = await setUp();
    for (const status of ['Online', 'Online', 'Down', 'Down']) await before.read(services, ok([gpe(status)]));
    const after = await setUp(before.store);
    expect(after.statuses()).toEqual(['unobserved/Down']);
    await after.read(services, ok([gpe('Down')]));
    expect(after.incidents.views().replicas[0]).toMatchObject({ observed: 'Down', hard: 'Down' });
  });

  it('keeps what it knows when the settings change, and drops a cluster that is gone', async () => {
    const { read, incidents, statuses } = await setUp();
    await read(services, ok([gpe('Online')]));
    await incidents.follow(['prod', 'test'], { ...settings, confirm: 3 });
    expect(statuses()[0]).toMatch(/^Online/);
    await incidents.follow(['test'], settings);
    expect(statuses()).toEqual([]);
  });

  it('says once that nothing can be stored, tells nevertheless, and says when it is over', async () => {
    const real = memoryStore();
    let full = true;
    const commit: Store['commit'] = async (changes) => (full ? err('the disk is full') : real.commit(changes));
    const store: Store = { ...real, find: real.find.bind(real), count: real.count.bind(real), commit };
    const { read, log, told } = await setUp(store);
    await read(services, ok([gpe('Online')]));
    await read(services, ok([gpe('Down')]));
    expect(told).toEqual([' > Online', 'Online > Down']);
    const troubles = () => log.lines.filter(({ level }) => level === 'error');
    expect(troubles().map(({ message }) => message)).toEqual(['there is trouble with the state']);
    full = false;
    await read(services, ok([gpe('Online')]));
    expect(log.lines.at(-1)?.message).toBe('what happens is stored again');
  });
});
