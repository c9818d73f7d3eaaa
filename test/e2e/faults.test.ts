import { describe, type ExpectStatic, it } from 'vitest';
import type { FailureReason } from '../../src/kernel/failure.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { FaultName } from '../../src/simulator/faults/names.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { type Page, startWarden, type Warden } from '../support/warden.ts';

/** The contract's table of reasons, fault by fault. */
const reasons: readonly (readonly [FaultName, FailureReason])[] = [
  ['reset_mid_body', 'unreachable'],
  ['hang_before_headers', 'timeout'],
  ['hang_before_body', 'timeout'],
  ['hang_within_body', 'timeout'],
  ['slow_drip', 'timeout'],
  ['truncated_json', 'body'],
  ['invalid_json', 'body'],
  ['html_200', 'body'],
  ['html_502', 'status'],
  ['status_401', 'auth'],
  ['status_403', 'auth'],
  ['status_404', 'unsupported'],
  ['status_408', 'status'],
  ['status_422', 'status'],
  ['status_500', 'status'],
  ['status_503', 'status'],
  ['status_504', 'status'],
  ['error_true_200', 'body'],
  ['empty_body', 'body'],
  ['wrong_content_type', 'body'],
  ['invalid_utf8', 'body'],
  ['body_100mb', 'too_large'],
  ['gzip_bomb', 'too_large'],
  ['redirect_loop', 'unreachable'],
  ['redirect_elsewhere', 'unreachable'],
];

/** Oddities that are no failures: the page stays valid, and everything else stays on it. */
const oddities: readonly FaultName[] = [
  'duplicate_families',
  'conflicting_families',
  'nan_values',
  'memory_unlimited',
  'cpu_over_100',
  'hostile_labels',
];

const every = 1000;
const often = { every: `${every}ms`, timeout: '900ms' };
const off = { enabled: false };
/** Not one of the lists: those slow down where they are dear, and then come back later. */
const struck = {
  collector: 'statistics',
  path: /^\/restpp\/statistics/,
  family: 'graphdb_endpoint_requests_per_second',
};

interface Scene {
  readonly simulator: Simulator;
  readonly warden: Warden;
}

async function onScene(play: (scene: Scene) => Promise<void>): Promise<void> {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const warden = await startWarden({
    clusters: [{ name: 'faulty', nodes, graphs: ['fraud'] }],
    limits: { body: '4MiB' },
    collectors: {
      health: often,
      metrics: often,
      services: often,
      queries: often,
      statistics: often,
      delayed_queries: off,
      categories: off,
      workload_queues: off,
      license: off,
    },
  });
  try {
    await play({ simulator, warden });
  } finally {
    await warden.stop();
    await simulator.close();
  }
}

function success(page: Page, collector: string, node: string): number | undefined {
  return page.value('graphwarden_collector_success', { collector, node });
}

function failures(page: Page, collector: string, node: string, reason: string): number {
  return page.value('graphwarden_collector_failures_total', { collector, node, reason }) ?? 0;
}

/** How many series of the struck reading are on the page. */
function shown(page: Page, node: string): number {
  return page.families.get(struck.family)?.samples.filter(({ labels }) => labels.node === node).length ?? 0;
}

async function seen(what: string, warden: Warden, is: (page: Page) => boolean, within: number): Promise<Page> {
  return eventually(
    what,
    async () => {
      const page = await warden.page();
      return is(page) && page;
    },
    within,
  );
}

/** Nobody but the struck reading suffers. */
function expectOthersWell(page: Page, expect: ExpectStatic): void {
  const { collector } = struck;
  expect(success(page, collector, 'm2'), 'the same collector on the other node').toBe(1);
  expect(shown(page, 'm2')).toBeGreaterThan(0);
  for (const other of ['health', 'queries']) expect(success(page, other, 'm1'), other).toBe(1);
  for (const other of ['metrics', 'services']) expect(success(page, other, ''), other).toBe(1);
  expect(page.value('graphdb_up', { node: 'm1' })).toBe(1);
}

describe('a fault of one answer', () => {
  it.concurrent.for(reasons)(
    '%s is the reason %s, hurts nobody else, and is over when it is over',
    ([fault, reason], { expect }) =>
      onScene(async ({ simulator, warden }) => {
        const { collector, path } = struck;
        const before = await seen('all is well', warden, (page) => success(page, collector, 'm1') === 1, 5000);
        expect(shown(before, 'm1')).toBeGreaterThan(0);

        const heal = await simulator.control.inject(fault, { node: 'm1', path });
        const ill = await seen('the reading fails', warden, (page) => success(page, collector, 'm1') === 0, 6000);
        expect(failures(ill, collector, 'm1', reason)).toBeGreaterThan(failures(before, collector, 'm1', reason));
        expect(shown(ill, 'm1'), 'no frozen series').toBe(0);
        expectOthersWell(ill, expect);

        await heal();
        const within = 4 * every; // time for a busy machine; what counts is that no further reading fails
        const after = await seen(
          'the reading works again',
          warden,
          (page) => success(page, collector, 'm1') === 1,
          within,
        );
        expect(shown(after, 'm1')).toBeGreaterThan(0);
        const more = failures(after, collector, 'm1', reason) - failures(ill, collector, 'm1', reason);
        expect(more, 'at most the readings before the end and the one under way').toBeLessThanOrEqual(2);
        const known = warden.log.filter(({ fields }) => fields.collector === collector && fields.node === 'm1');
        expect(
          known.map(({ message }) => message),
          'one line on change and on recovery',
        ).toHaveLength(2);
      }),
  );

  it.concurrent('429 is the reason status, and its Retry-After is kept', ({ expect }) =>
    onScene(async ({ simulator, warden }) => {
      const { collector, path } = struck;
      await seen('all is well', warden, (page) => success(page, collector, 'm1') === 1, 5000);
      await simulator.control.inject('status_429', { node: 'm1', path });
      const ill = await seen('the reading fails', warden, (page) => success(page, collector, 'm1') === 0, 6000);
      expect(failures(ill, collector, 'm1', 'status')).toBe(1);
      const asked = simulator.calls().filter((call) => path.test(call.path) && call.status === 429).length;
      await systemClock.sleep(1.5 * every);
      expect(simulator.calls().filter((call) => path.test(call.path) && call.status === 429)).toHaveLength(asked);
      expectOthersWell(await warden.page(), expect);
    }));
});

describe('a refused connection', () => {
  it.concurrent('takes its node down alone, and it is up again within an interval', ({ expect }) =>
    onScene(async ({ simulator, warden }) => {
      await seen('both are up', warden, (page) => page.value('graphdb_up', { node: 'm1' }) === 1, 5000);
      const heal = await simulator.control.inject('connection_refused', { node: 'm1' });
      const down = await seen('m1 is down', warden, (page) => page.value('graphdb_up', { node: 'm1' }) === 0, 5000);
      expect(down.value('graphdb_up', { node: 'm2' })).toBe(1);
      expect(failures(down, 'health', 'm1', 'unreachable')).toBeGreaterThan(0);
      const moved = await seen(
        'cluster facts come from m2',
        warden,
        (page) => success(page, 'services', '') === 1,
        3000,
      );
      expect(moved.families.has('graphdb_service_status')).toBe(true);
      await heal();
      await seen('m1 is up again', warden, (page) => page.value('graphdb_up', { node: 'm1' }) === 1, 4 * every);
    }));
});

describe('an odd page of the informant', () => {
  it.concurrent.for(oddities)('%s leaves our page valid and whole', (fault, { expect }) =>
    onScene(async ({ simulator, warden }) => {
      await seen('all is well', warden, (page) => page.families.has('svc_service_status'), 5000);
      await simulator.control.inject(fault, { path: '/informant/metrics' });
      const asked = simulator.calls().filter(({ path }) => path === '/informant/metrics').length;
      await eventually('the odd page was read twice', () =>
        Promise.resolve(simulator.calls().filter(({ path }) => path === '/informant/metrics').length >= asked + 2),
      );
      const page = await warden.page();
      expect(success(page, 'metrics', '')).toBe(1);
      expect(page.families.get('svc_service_status')?.samples.length).toBeGreaterThan(10);
      expect(page.value('graphdb_up', { node: 'm1' })).toBe(1);
    }),
  );
});
