import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { ok } from '../../src/kernel/result.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { startInMemoryCluster } from '../support/in-memory-cluster.ts';
import { pageOf } from '../support/in-process-daemon.ts';
import { recordingLogger } from '../support/logger.ts';
import { toHttpReply } from '../support/memory-network.ts';
import { FakeCron } from './fake-cron.ts';
import { fixedRandom } from './fakes.ts';

const listPaths = ['/restpp/showprocesslistall', '/restpp/showdelayedlistall'];
const gaugesOfLists = [
  ['graphdb_queries_running', 'queries'],
  ['graphdb_queries_delayed', 'delayed_queries'],
] as const;
/** Three intervals, as by default. */
const staleAfter = { queries: 15_000, delayed_queries: 15_000 } as const;
/** Interval of the check for overdue gauges. */
const tick: Millis = 1000;

/** A daemon with the default intervals, and a simulated node whose lists take as long as `listTakes` returns. */
async function setUp(listTakes: (at: Millis) => Millis) {
  const clock = new FakeClock();
  const takes = ({ path, at }: { readonly path: string; readonly at: Millis }) =>
    listPaths.includes(path) ? listTakes(at) : 5;
  const { simulator, openPool, requests } = await startInMemoryCluster(clock, takes, { nodes: 1 });
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const text = JSON.stringify({ state_dir: '/nowhere', clusters: [{ name: 'prod', nodes }] });
  const loaded = loadConfig(text, 'test.yml', {});
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  const app = createApp(loaded.value, {
    clock,
    random: fixedRandom(0.5),
    log: recordingLogger(),
    openPool,
    sendMail: () => Promise.reject(new Error('no mail is sent')),
    digest,
    files: new FakeFiles(),
    dns: { srv: async () => ok([]), addresses: async () => ok([]) },
    cron: new FakeCron().schedule,
    store: memoryStore(),
    tail: async () => '',
    reload: async () => ok([]),
    build: { version: '0.0.0', commit: 'test' },
    hostname: 'localhost',
    readStatusPage: async () => undefined,
  });
  await app.start();
  const page = async () => {
    const query = new URLSearchParams();
    const { signal: disconnected } = new AbortController();
    const request = { method: 'GET', path: '/metrics', query, headers: {}, remoteAddress: '', disconnected };
    const reply = await app.localHandler({ ...request, text: async () => '' });
    return pageOf(Buffer.from((await toHttpReply(reply)).body).toString());
  };
  /** Times between the requests for a list. */
  const gaps = (path: string, from = 0): readonly Millis[] => {
    const times = requests.filter((one) => one.path === path && one.at >= from).map(({ at }) => at);
    return times.slice(1).map((at, index) => at - (times[index] ?? 0));
  };
  const end = async (): Promise<void> => {
    const stopping = app.stop();
    await clock.advance(60_000);
    await stopping;
    await simulator.close();
  };
  return { clock, page, gaps, end };
}

describe('lists of a simulated node', () => {
  it('stay at their interval if one answer of each takes 2.5 s', async () => {
    const { clock, page, gaps, end } = await setUp((at) => (at >= 60_000 && at < 70_000 ? 2500 : 10));
    await clock.advance(240_000);
    for (const path of listPaths) {
      // The other list waits until the slow one has ended.
      expect(Math.max(...gaps(path, 10_000)), path).toBeLessThan(8000);
      expect(Math.max(...gaps(path, 75_000)), path).toBeLessThan(5100);
    }
    expect((await page()).value('graphwarden_collector_interval_seconds', { collector: 'queries' })).toBe(5);
    await end();
  });

  it('are at most 30 s apart while all answers are slow, and back at their interval with the first quick one', async () => {
    const { clock, gaps, end } = await setUp((at) => (at < 600_000 ? 2500 : 10));
    await clock.advance(600_000);
    for (const path of listPaths) expect(Math.max(...gaps(path)), path).toBe(30_000);
    await clock.advance(60_000);
    expect(gaps(listPaths[0] ?? '', 600_000).slice(1)).toEqual(
      gaps(listPaths[0] ?? '', 600_000)
        .slice(1)
        .map(() => 5000),
    );
    await end();
  });

  it('leave no gauge on the page for longer than stale_after, and graphdb_up stays', async () => {
    const { clock, page, end } = await setUp(() => 2500);
    await clock.advance(10_000);
    const seen = { shown: 0, absent: 0 };
    for (let second = 0; second < 300; second += 1) {
      await clock.advance(1000);
      const shown = await page();
      expect(shown.value('graphdb_up')).toBe(1);
      for (const [family, collector] of gaugesOfLists) {
        if (!shown.families.has(family)) {
          seen.absent += 1;
          continue;
        }
        seen.shown += 1;
        const polledAt = shown.value('graphwarden_collector_last_success_timestamp_seconds', { collector }) ?? 0;
        expect(clock.now().wall - polledAt * 1000, family).toBeLessThan(staleAfter[collector] + tick);
      }
    }
    expect(Math.min(seen.shown, seen.absent)).toBeGreaterThan(100);
    await end();
  });
});
