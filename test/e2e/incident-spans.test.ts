import { afterEach, expect, it } from 'vitest';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { otlpReceiver } from '../support/otlp.ts';
import { startEnvironment } from './guard-environment.ts';
import { exportsTo } from './span-lookups.ts';

const interval = 5000;
const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function traced() {
  const receiver = await otlpReceiver();
  const exports = await exportsTo(receiver.url);
  // The state outlives the daemon, as that on disk does.
  const environment = await startEnvironment({
    guard: {},
    collectors: { services: { interval: '5s', timeout: '3s' } },
    world: { spanExports: exports, store: memoryStore() },
  });
  open.push(
    () => receiver.close(),
    () => environment.stop(),
  );
  const set = (status: 'Online' | 'Down' | 'Warmup') => {
    environment.simulator.control.setService('GPE', '1', '1', status);
    return environment.clock.now().wall;
  };
  const incidents = async () => {
    await exports.close(5000);
    return receiver.spans.filter(({ name }) => name.endsWith('not online'));
  };
  const run = (length: number) => environment.run(length);
  return { run, restart: () => environment.restart(), set, incidents };
}

it('a service outage is one span, with its transitions', async () => {
  const { run, set, incidents } = await traced();
  await run(20_000);
  const left = set('Down');
  await run(30_000);
  set('Warmup');
  await run(20_000);
  const back = set('Online');
  await run(20_000);
  const [span, ...more] = await incidents();
  expect(more).toEqual([]);
  const start = Number(span?.start) / 1e6 - left;
  const end = Number(span?.end) / 1e6 - back;
  expect([start >= 0, start < interval + 1000, end >= 0, end < interval + 1000]).toEqual([true, true, true, true]);
  expect(span?.events.map(({ name }) => name)).toEqual(['Down', 'Warmup', 'Online']);
  expect(span?.attributes).toMatchObject({
    'graphwarden.cluster': 'prod',
    'graphwarden.service': 'GPE',
    'graphwarden.partition': '1',
    'graphwarden.replica': '1',
    'graphwarden.outage.outcome': 'online',
    'graphwarden.outage.start_seen': true,
    'error.type': 'Down',
  });
  expect(span?.status).toEqual({ code: 2, message: 'GPE was Down' });
});

it('an incident continues through a restart of the daemon', async () => {
  const { run, set, restart, incidents } = await traced();
  await run(20_000);
  const left = set('Down');
  await run(20_000);
  await restart();
  await run(20_000);
  set('Online');
  await run(20_000);
  const [span, ...more] = await incidents();
  expect(more).toEqual([]);
  expect(Number(span?.start) / 1e6 - left).toBeLessThan(interval + 1000);
  expect(span?.events.map(({ name }) => name).filter((name) => name !== 'unobserved')).toEqual([
    'Down',
    'Down',
    'Online',
  ]);
});
