import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterRule } from '../../../src/alert/rule.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { startResult } from '../../../src/app/poll/collector-feed.ts';
import { categories } from '../../../src/collect/categories.ts';
import type { Collector } from '../../../src/collect/collector.ts';
import { delayedQueries } from '../../../src/collect/delayed-queries.ts';
import { IdentityCheck } from '../../../src/collect/identity-check.ts';
import { KeptSamples } from '../../../src/collect/kept-samples.ts';
import { metrics } from '../../../src/collect/metrics.ts';
import { queries } from '../../../src/collect/queries.ts';
import { services } from '../../../src/collect/services.ts';
import { statistics } from '../../../src/collect/statistics.ts';
import { workloadQueues } from '../../../src/collect/workload-queues.ts';
import { openCluster } from '../../../src/graphdb/connect.ts';
import type { Sample } from '../../../src/metric/metric.ts';
import { serviceNames } from '../../../src/model/service.ts';
import { findRoute } from '../../../src/simulator/routes.ts';
import { trackerSection } from '../../../src/track/settings.ts';
import { createTracker, type TrackerState } from '../../../src/track/tracker.ts';
import { viewsOf } from '../../../src/track/views.ts';
import { situationWith } from '../../alert/rules/rule-fixtures.ts';
import { callOn, worldOf } from '../../simulator/test-world.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { bareCluster, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { digest } from '../../support/digest.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { answer } from '../../support/fake-pool.ts';

/** How one answer is garbled: at a share of its length. */
interface Garble {
  readonly kind: 'replace' | 'delete' | 'repeat' | 'number' | 'text';
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const garbles: fc.Arbitrary<Garble> = fc.record({
  kind: fc.constantFrom('replace', 'delete', 'repeat', 'number', 'text'),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  text: fc.oneof(
    fc.constantFrom('-1', '1.5', '0', '99999999', '""', 'null', '[]', '{}', 'x', '\u0000', 'é', '7', 'GPE', 'm9'),
    fc.string({ minLength: 1, maxLength: 4 }),
  ),
});

/** Replaces a part of an answer: characters, or the number or text that follows. */
function garbled(body: string, { kind, at, length, text }: Garble): string {
  const from = Math.floor(at * body.length);
  const rest = body.slice(from);
  if (kind === 'number') return body.slice(0, from) + rest.replace(/-?\d+(\.\d+)?/, () => text);
  if (kind === 'text') return body.slice(0, from) + rest.replace(/"[^"]*"/, () => JSON.stringify(text));
  if (kind === 'delete') return body.slice(0, from) + body.slice(from + length);
  if (kind === 'repeat') return body.slice(0, from + length) + body.slice(from);
  return body.slice(0, from) + text + body.slice(from + 1);
}

const world = worldOf({ scenario: 'runaway_queries' });
world.advance(world.now + 60_000);

const everyService = JSON.stringify({ ServiceDescriptors: serviceNames.map((ServiceName) => ({ ServiceName })) });

async function cleanAnswer(method: string, path: string): Promise<string> {
  const url = new URL(path, 'http://m1');
  const found = findRoute(method, url.pathname, false);
  if (found === undefined) throw new Error(`no route for ${path}`);
  const { body } = await found.route.endpoint(
    callOn(world, { path: found.path, query: url.searchParams, body: everyService }),
  );
  return body;
}

const clusterRules = rules.filter((rule): rule is ClusterRule => rule.scope === 'cluster');
const node = { name: 'm1', url: 'http://m1:14240' };

/** What a garbled answer may change: no series that is not there otherwise, and nothing that fires before the next answer. */
interface Shown {
  readonly series: readonly string[];
  readonly alerts: readonly string[];
}

/** One collector of one cluster with the tracker, from the bytes of answers to series and alerts. */
class ObservedCluster {
  #garble: Garble | undefined;
  #tracked: TrackerState;
  readonly #collector: Collector;
  readonly #tracker = createTracker('test', trackerSection.parse({}));
  readonly #identities = new IdentityCheck((number) => Number(number) <= 1000);
  readonly #keptSamples = new KeptSamples(this.#identities);
  readonly #clock = new FakeClock();
  readonly #connection: ReturnType<ReturnType<typeof openCluster>['node']>;

  constructor(collector: Collector, answers: ReadonlyMap<string, string>) {
    this.#collector = collector;
    this.#tracked = this.#tracker.initial;
    const settings = { ...bareCluster, graphs: ['fraud', 'social'] };
    const request = ({ method, path }: { readonly method: string; readonly path: string }) => {
      const body = answers.get(`${method} ${path}`) ?? '';
      const mine = this.#garble === undefined ? body : garbled(body, this.#garble);
      return Promise.resolve(answer(mine, 200, { 'content-type': 'text/plain' }));
    };
    const openPool = () => ({ request, sockets: () => 0, close: () => Promise.resolve() });
    const ports = { openPool, clock: this.#clock, random: { next: () => 0.5 }, files: new FakeFiles(), digest };
    this.#connection = openCluster(settings, { bodyLimit: 10_000_000 }, ports).node(node);
  }

  async poll(garble?: Garble): Promise<Shown> {
    this.#garble = garble;
    const definition = this.#collector;
    const started = this.#clock.now();
    const given = await definition.poll(this.#connection.db, neverAborted());
    await this.#clock.advance(definition.defaults.interval);
    const now = this.#clock.now();
    const feed = { cluster: 'test', collector: definition.name, node: '', definition, labels: {}, passthrough: true };
    const parts = { keptSamples: this.#keptSamples, identities: this.#identities };
    const { result } = startResult(feed, parts, { result: given, source: 'm1', started, ended: now });
    if (!result.ok) return { series: [], alerts: [] };
    const plausible = this.#keptSamples.plausible(definition.samples(result.value, now));
    const samples = [...this.#keptSamples.passComplete(plausible)];
    const report = definition.serviceStatuses?.(result.value);
    if (report?.kind === 'states') {
      const input = { kind: 'states', states: report.states, source: 'm1', interval: 5000 } as const;
      this.#tracked = this.#tracker.step(this.#tracked, input, now).state;
    }
    const own = [...samples, ...this.#tracker.samples(this.#tracked, now)].map(seriesOf);
    const native = (definition.passthrough?.(result.value) ?? []).flatMap(({ series }) =>
      series.map(({ text }) => text),
    );
    return { series: [...own, ...native.map(String)], alerts: this.#alerts(samples, now) };
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#identities.counts;
  }

  /** Findings that fire before the next answer can correct them. */
  #alerts(samples: readonly Sample[], now: ReturnType<FakeClock['now']>): readonly string[] {
    const families = Map.groupBy(samples, ({ metric }) => metric.name);
    const situation = situationWith(
      {},
      {
        ...viewsOf(this.#tracked, 'test'),
        nodes: ['m1'],
        samples: (family) => (families.get(family) ?? []).map(({ labels, value }) => ({ labels, value })),
      },
    );
    return clusterRules.flatMap((rule) => {
      const thresholds = Object.fromEntries(rule.thresholds.map(({ name, value }) => [name, value]));
      const findings = [...rule.evaluate(situation, thresholds, now)];
      const firing = findings.filter((finding) => (finding.for ?? rule.for) < this.#collector.defaults.interval);
      return firing.map(({ labels }) => `${rule.name} ${JSON.stringify(labels)}`);
    });
  }
}

function seriesOf({ metric, labels, part }: Sample): string {
  return `${metric.name}${part ?? ''}${JSON.stringify(labels)}`;
}

const paths: ReadonlyMap<Collector, readonly string[]> = new Map([
  [services, ['POST /informant/current-service-status']],
  [metrics, ['GET /informant/metrics']],
  [
    categories,
    ['cpu-memory', 'diskspace', 'network', 'qps'].map((category) => `POST /informant/metrics/get/${category}`),
  ],
  [statistics, ['fraud', 'social'].map((graph) => `GET /restpp/statistics/${graph}?seconds=60&segments=100`)],
  [workloadQueues, ['POST /restpp/workload-manager/queuestatus']],
  [queries, ['GET /restpp/showprocesslistall']],
  [delayedQueries, ['GET /restpp/showdelayedlistall']],
]);

async function answersFor(collector: Collector): Promise<ReadonlyMap<string, string>> {
  const requests = paths.get(collector) ?? [];
  const pairs = requests.map(async (request) => {
    const [method = '', path = ''] = request.split(' ');
    return [request, await cleanAnswer(method, path)] as const;
  });
  return new Map(await Promise.all(pairs));
}

/** Garbles the path of a query, so that it has no graph. */
const emptyGraph: Garble = { kind: 'replace', at: 0.25135427952329364, length: 1, text: '-1' };

describe('one garbled answer', () => {
  it.each([...paths.keys()].map((collector) => [collector.name, collector] as const))(
    'of %s creates no series and no alert',
    async (_, collector) => {
      const answers = await answersFor(collector);
      const clean = new ObservedCluster(collector, answers);
      await clean.poll();
      const expected = new Set((await clean.poll()).series);
      expect(expected.size).toBeGreaterThan(3);
      await fc.assert(
        fc.asyncProperty(garbles, async (garble) => {
          const cluster = new ObservedCluster(collector, answers);
          const before = await cluster.poll();
          const during = await cluster.poll(garble);
          const after = await cluster.poll();
          for (const shown of [during, after]) {
            expect(shown.series.filter((series) => !expected.has(series))).toEqual([]);
            expect(shown.alerts.filter((alert) => !before.alerts.includes(alert))).toEqual([]);
          }
        }),
        { numRuns: numberOfRuns({ short: 30, campaign: 5000 }), seed: 13, examples: [[emptyGraph]] },
      );
    },
    numberOfRuns({ short: 60_000, campaign: 3_600_000 }),
  );

  it('is counted by reason, and a second answer with the same new identity is accepted', async () => {
    const answers = new Map(await answersFor(services));
    const [request = ''] = paths.get(services) ?? [];
    const body = answers.get(request) ?? '';
    const withReplica = (replica: number) =>
      body.replace(/("ServiceDescriptor":\{"ServiceName":"GPE"[^}]*"Replica":)\d/, (_, start) => `${start}${replica}`);
    const cluster = new ObservedCluster(services, answers);
    const shows = async (replica: number) => {
      answers.set(request, replica === 0 ? body : withReplica(replica));
      const { series } = await cluster.poll();
      return series.some((one) => one.includes('"service_name":"GPE"') && one.includes(`"replica":"${replica}"`));
    };
    await cluster.poll();
    expect([await shows(-1), await shows(1001), await shows(77), await shows(77)]).toEqual([false, false, false, true]);
    expect([await shows(78), await shows(0), await shows(0)]).toEqual([false, false, false]);
    expect(Object.fromEntries(cluster.counts)).toEqual({ replica: 2, unconfirmed: 1 });
  });
});
