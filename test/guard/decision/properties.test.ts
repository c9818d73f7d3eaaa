import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AbortResponse } from '../../../src/guard/decision/decision.ts';
import { decisionKey, phaseRules } from '../../../src/guard/decision/decision.ts';
import { isRetried } from '../../../src/guard/decision/outcomes.ts';
import type { GuardSettings, Mode } from '../../../src/guard/policy.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { globs, policyOf } from '../match-inputs.ts';
import { GuardSimulation, instanceOf, type Running, settingsOf } from './guard-simulation.ts';

const nodes = ['n1', 'n2', 'n3'];
const instances = Object.fromEntries(nodes.map((node) => [node, instanceOf(node)]));
const hours = 3_600_000;

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('start'), node: fc.nat(2), query: fc.nat(3), lasts: fc.nat(300_000) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('endless'), node: fc.nat(2), query: fc.nat(3) }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('run'), length: fc.nat(60_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause'), isPaused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clock'), by: fc.integer({ min: -hours, max: hours }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset'), query: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('audit') }) },
);
const manualAbort = fc.record({ kind: fc.constant('manual'), query: fc.nat(4), isPaused: fc.boolean() });

interface RandomEvent {
  readonly kind: string;
  readonly node?: number;
  readonly query?: number;
  readonly lasts?: number;
  readonly length?: number;
  readonly by?: number;
  readonly isPaused?: boolean;
}

/** A server that does all that a server might, by the draw of `luck`. */
function unstable(settings: GuardSettings, random: readonly number[]): GuardSimulation {
  let drawn = 0;
  const draw = (choices: number) => {
    drawn += 1;
    return (random[drawn % random.length] ?? 0) % choices;
  };
  return new GuardSimulation(
    settings,
    {
      latency: () => [20, 20, 20, 700, 3500][draw(5)] ?? 20,
      body: (results) =>
        [{ results }, { results }, { results }, undefined, { error: true }, { results: [...results, ...results] }][
          draw(6)
        ],
      commit: () => ({ after: [1, 50, 900, 2500][draw(4)] ?? 1, isOnDisk: draw(12) > 0 }),
      abort: ({ id }, hit) => answerOf(id, { hit, choice: draw(6) }),
    },
    { nodes, instances },
  ).begin();
}

function answerOf(id: string, { hit, choice }: { readonly hit: Running | undefined; readonly choice: number }) {
  const answers: readonly (AbortResponse | undefined)[] = [
    { kind: 'accepted', aborted: hit === undefined ? [] : [id] },
    { kind: 'accepted', aborted: [id] },
    { kind: 'accepted', aborted: [] },
    { kind: 'refused' },
    { kind: 'lost' },
    undefined,
  ];
  return { answer: answers[choice], ends: choice !== 2 && choice !== 3 };
}

function applyEvent(
  simulation: GuardSimulation,
  { kind, node = 0, query = 0, lasts, length = 0, by = 0, isPaused = false }: RandomEvent,
): void {
  const url = `/query/fraud/scan_${query}`;
  const where = { node: nodes[node] ?? 'n1', url };
  if (kind === 'start') simulation.start({ ...where, lasts: lasts ?? 0 });
  if (kind === 'endless') simulation.start(where);
  if (kind === 'run') simulation.run(length);
  if (kind === 'pause') simulation.send({ kind: 'paused', isPaused });
  if (kind === 'clock') simulation.stepClock(by);
  if (kind === 'reset') simulation.send({ kind: 'reset', breaker: `same_query fraud scan_${query}` });
  if (kind === 'audit') simulation.send({ kind: 'audit', isWritable: true });
  if (kind === 'manual') listRequest(simulation, query, isPaused);
}

function listRequest(simulation: GuardSimulation, at: number, whilePaused: boolean): void {
  const { node = 'n1', id = 'all' } = simulation.queries.at(-1 - at) ?? {};
  simulation.send({ kind: 'manual', node, id, by: 'alice', reason: 'node overloaded', whilePaused });
}

/** Most attempts in any period of that length. */
function densest(times: readonly number[], within: number): number {
  return Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + within).length));
}

const quick = { grace: 5000, cooldown: 20_000, victims: { pick: 'oldest', max: 3 } } as const;
const budgets = { perNode: { max: 2, within: 120_000 }, perCluster: { max: 4, within: 120_000 } };

function simulate(
  events: readonly RandomEvent[],
  random: readonly number[],
  modes: readonly [Mode, Mode] = ['enforce', 'enforce'],
): GuardSimulation {
  const [guard, policy] = modes;
  const settings = settingsOf([policyOf(undefined, { ...quick, mode: policy })], {
    mode: guard,
    budgets,
    protect: [{ query: globs('scan_3') }],
  });
  const simulation = unstable(settings, random);
  for (const one of events) applyEvent(simulation, one);
  simulation.send({ kind: 'audit', isWritable: true });
  simulation.run(100_000);
  simulation.send({ kind: 'stop' });
  return simulation.run(60_000);
}

const story = [
  fc.array(event, { minLength: 10, maxLength: 60 }),
  fc.array(fc.nat(1000), { minLength: 7, maxLength: 97 }),
] as const;
const runs = { numRuns: numberOfRuns({ short: 40, campaign: 150 }), seed: 4, endOnFailure: true };
let sent = 0;

describe('guard with random inputs', () => {
  it('exceeds no budget, sends no request twice, and has an outcome for every intent', () => {
    fc.assert(
      fc.property(...story, (events, random) => {
        const simulation = simulate(events, random);
        const ends = new Map(simulation.of('outcome').map((one) => [one.key, one]));
        const intents = simulation.of('intent').filter(({ intent }) => ends.get(intent.key)?.outcome !== 'not_sent');
        for (const node of nodes) {
          const times = intents.filter(({ intent }) => intent.node === node).map(({ time }) => time);
          expect(densest(times, budgets.perNode.within)).toBeLessThanOrEqual(budgets.perNode.max);
          expect(Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toBeGreaterThanOrEqual(
            quick.cooldown,
          );
        }
        expect(
          densest(
            intents.map(({ time }) => time),
            budgets.perCluster.within,
          ),
        ).toBeLessThanOrEqual(budgets.perCluster.max);
        const all = simulation.of('intent').map(({ intent }) => intent);
        const keys = all.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(
          simulation
            .of('outcome')
            .map(({ key }) => key)
            .toSorted(),
        ).toEqual(keys.toSorted());
        const excluding = all.filter(({ key }) => !isRetried(ends.get(key) ?? {})).map(decisionKey);
        expect([...simulation.state.excludedKeys].toSorted()).toEqual([...new Set(excluding)].toSorted());
        const sentKeys = simulation.aborts.map(({ order }) => order.key);
        for (const key of keys) {
          const isUnsent = ['not_sent', 'withdrawn'].includes(ends.get(key)?.outcome ?? '');
          expect(sentKeys.filter((one) => one === key)).toHaveLength(isUnsent ? 0 : 1);
        }
        expect(
          [...simulation.state.decisions.values()].filter(({ phase }) => phaseRules[phase].whenSkipped !== 'cancelled'),
        ).toEqual([]);
        sent += simulation.aborts.length;
      }),
      runs,
    );
    expect(sent).toBeGreaterThan(50);
  });

  it('aborts only old enough, unprotected queries of the requested node whose intent is stored', () => {
    fc.assert(
      fc.property(...story, (events, random) => {
        const simulation = simulate(events, random);
        for (const { order, time } of simulation.aborts) {
          const query = simulation.queries.find(({ id }) => id === order.id);
          expect(query?.node).toBe(order.node);
          expect(query?.url).not.toContain('scan_3');
          expect(time - (query?.from ?? time)).toBeGreaterThanOrEqual(60_000 + quick.grace);
          expect(order).toMatchObject({ id: query?.id, graph: 'fraud' });
          expect(
            simulation.of('intent').filter(({ intent, time: at }) => intent.key === order.key && at <= time),
          ).toHaveLength(1);
        }
      }),
      runs,
    );
  });

  it.each([
    ['observe', 'observe'],
    ['observe', 'enforce'],
    ['enforce', 'observe'],
  ] as const)('sends no abort and excludes no entry with guard %s and policy %s', (guard, policy) => {
    let reported = 0;
    fc.assert(
      fc.property(...story, (events, random) => {
        const simulation = simulate(events, random, [guard, policy]);
        expect([simulation.aborts, simulation.of('intent'), simulation.of('abort')]).toEqual([[], [], []]);
        expect(simulation.state.excludedKeys.size).toBe(0);
        const times = simulation.of('would_abort').map(({ time }) => time);
        expect(densest(times, budgets.perCluster.within)).toBeLessThanOrEqual(budgets.perCluster.max);
        reported += times.length;
      }),
      { ...runs, numRuns: numberOfRuns({ short: 30, campaign: 60 }) },
    );
    expect(reported).toBeGreaterThan(10);
  });

  it('aborts each manually requested query once, and no other query', () => {
    const counts = { sent: 0, declined: 0, further: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 2, arbitrary: event }, { weight: 1, arbitrary: manualAbort }), {
          minLength: 10,
          maxLength: 60,
        }),
        story[1],
        (events, random) => {
          const simulation = simulate(events, random, ['observe', 'observe']);
          const intents = simulation.of('intent').map(({ intent }) => intent);
          const keys = intents.map(({ key }) => key);
          expect(new Set(keys).size).toBe(keys.length);
          expect(
            simulation
              .of('outcome')
              .map(({ key }) => key)
              .toSorted(),
          ).toEqual(keys.toSorted());
          expect(intents.every(({ policy, manual }) => policy === '' && manual?.by === 'alice')).toBe(true);
          for (const { order } of simulation.aborts) {
            const query = simulation.queries.find(({ id }) => id === order.id);
            expect([order.node, order.graph]).toEqual([query?.node, 'fraud']);
          }
          expect(new Set(simulation.aborts.map(({ order }) => order.key)).size).toBe(simulation.aborts.length);
          expect(simulation.state.manualRequests).toEqual([]);
          counts.sent += simulation.aborts.length;
          counts.declined += simulation.of('declined').length;
          counts.further += keys.length - simulation.state.excludedKeys.size;
        },
      ),
      runs,
    );
    expect(Math.min(counts.sent, counts.declined, counts.further)).toBeGreaterThan(runs.numRuns / 30);
  });
});
