import { describe, expect, it } from 'vitest';
import { GuardReadiness, notReadyViews } from '../../../src/app/guard/guard-readiness.ts';
import type { Decision } from '../../../src/guard/decision/decision.ts';
import { initialNodeView } from '../../../src/guard/decision/node-view.ts';
import { type GuardState, initialState, withDecision } from '../../../src/guard/decision/state.ts';
import { attemptAt, decisionOf } from '../../guard/decision/decisions.ts';
import { settingsOf } from '../../guard/decision/guard-simulation.ts';
import { policyOf } from '../../guard/parsed-policy.ts';
import { runUntilAbort } from './cluster-guard-steps.ts';
import { createGuardFixture, receivedListAt, runaway } from './guard-fixture.ts';

const enforced = { ...runaway, mode: 'enforce', grace: '5s' };

const now = { mono: 100_000, wall: 100_000 };
const emptyList = {
  times: { started: now, received: now },
  address: '10.0.0.1:1',
  connection: 'c1',
  candidates: new Map(),
  ids: new Set<string>(),
  skippedEntries: 0,
};

function addDecision(state: GuardState, decision: Decision): GuardState {
  return withDecision(state, decision.key, decision);
}

/** The guard fixture after some time, in which `m1` has a configured instance and `m2` has none. */
async function readinessAfter(seconds: number, guard: Readonly<Record<string, unknown>> = {}) {
  const fixture = createGuardFixture({ mode: 'enforce', policies: [enforced], ...guard });
  await fixture.begin();
  await fixture.run(seconds);
  return fixture;
}

describe('the readiness of the guard', () => {
  it('is reported for each policy and node, with the start of the gap', async () => {
    const { supervisor, clock, end } = await readinessAfter(12);
    const [first, second] = supervisor.readiness('prod');
    expect(first).toMatchObject({ policy: 'runaway', mode: 'enforce', node: 'm1', reasons: [], since: undefined });
    expect(second).toMatchObject({ node: 'm2', reasons: ['not_covered'], since: expect.any(Number) });
    const since = second?.since;
    await clock.advance(5000);
    expect(supervisor.readiness('prod')[1]?.since).toBe(since);
    await end();
  });

  it('pages for an enforcing policy, once for each node', async () => {
    const second = { ...enforced, name: 'second' };
    const { supervisor, end } = await readinessAfter(12, { policies: [enforced, second] });
    const pages = notReadyViews(supervisor.readiness('prod'));
    expect(pages).toMatchObject([{ node: 'm2', reasons: ['not_covered'], policies: ['runaway', 'second'] }]);
    expect(supervisor.view('prod')?.notReady).toEqual(pages);
    await end();
  });

  it('does not page for a policy that observes', async () => {
    const { supervisor, end } = await readinessAfter(12, { mode: 'observe' });
    expect(notReadyViews(supervisor.readiness('prod'))).toEqual([]);
    await end();
  });

  it('does not page for a pause or a rejected list, which have their own alerts', async () => {
    const { supervisor, clock, end } = await readinessAfter(12);
    await supervisor.pause('ada', 'operator');
    expect(supervisor.readiness('prod').map(({ reasons }) => reasons[0])).toEqual(['paused', 'paused']);
    expect(notReadyViews(supervisor.readiness('prod'))).toEqual([]);
    await supervisor.resume('ada');
    for (let count = 0; count < 2; count += 1) supervisor.onPollResult(...receivedListAt(clock.now(), 'no list'));
    expect(supervisor.readiness('prod')[0]?.reasons).toEqual(['list_failed']);
    expect(notReadyViews(supervisor.readiness('prod')).map(({ node }) => node)).toEqual(['m2']);
    await end();
  });

  it('does not page for a gate without a value, because its collector has an alert', async () => {
    const gate = { any: [{ queue_depth: '> 20', for: '1m' }] };
    const { supervisor, end } = await readinessAfter(12, { policies: [{ ...enforced, gate }] });
    expect(supervisor.readiness('prod').map(({ node, reasons }) => [node, reasons])).toEqual([
      ['m1', ['gate_unknown']],
      ['m2', ['not_covered', 'gate_unknown']],
    ]);
    expect(notReadyViews(supervisor.readiness('prod')).map(({ node }) => node)).toEqual(['m2']);
    await end();
  });

  it('pages for a spent budget only while a query waits for it', () => {
    const initial = initialState({ m1: 'RESTPP_1_1' });
    const state = {
      ...initial,
      status: { ...initial.status, isRestored: true },
      graphs: new Set(['fraud']),
      attempts: [attemptAt(now.mono, { node: 'm2' })],
      views: new Map([['m1', { ...initialNodeView(), list: emptyList }]]),
    };
    const budget = { max: 1, within: 600_000 };
    const guard = {
      ...settingsOf([policyOf({ name: 'p', mode: 'enforce' })]),
      budgets: { perNode: budget, perCluster: budget },
    };
    const settings = { guard, nodes: ['m1'], isPolled: true, interval: 5000 };
    const readiness = new GuardReadiness();
    const pagesFor = (decisions: readonly Decision[]) =>
      notReadyViews(
        readiness.report({ state: decisions.reduce(addDecision, state), policies: guard.policies, settings }, now),
      );
    expect(pagesFor([])).toEqual([]);
    const waiting = decisionOf({ policy: 'p', phase: 'grace', due: now.mono });
    expect(pagesFor([{ ...waiting, target: { ...waiting.target, node: 'm1' } }])).toEqual([
      { node: '', reasons: ['cluster_budget'], policies: ['p'], since: now.wall },
    ]);
  });

  it('pages for the cluster while the credentials for aborts cannot be read', async () => {
    const { supervisor, nodes, clock, end } = await readinessAfter(12);
    nodes.lacksCredentials = true;
    expect(supervisor.readiness('prod')[0]?.reasons).toEqual(['credential_missing']);
    const [page] = notReadyViews(supervisor.readiness('prod'));
    expect(page).toEqual({ node: '', reasons: ['credential_missing'], policies: ['runaway'], since: clock.now().wall });
    nodes.lacksCredentials = false;
    expect(supervisor.readiness('prod')[0]?.reasons).toEqual([]);
    await end();
  });

  it('pages since the reason that pages, not since another reason before it', async () => {
    const { supervisor, clock, end } = await readinessAfter(12);
    await supervisor.pause('ada', 'operator');
    expect(notReadyViews(supervisor.readiness('prod'))).toEqual([]);
    await clock.advance(5000);
    await supervisor.resume('ada');
    const resumed = clock.now().wall;
    const [, second] = supervisor.readiness('prod');
    expect(second?.since).toBeLessThan(resumed);
    expect(notReadyViews(supervisor.readiness('prod'))).toMatchObject([{ node: 'm2', since: resumed }]);
    await end();
  });
});

/** A guard whose first abort the server refuses. */
function runUntilRefusal(isUnauthorized: boolean) {
  return runUntilAbort({
    abort: async (_order, _signal, mayWrite) => {
      mayWrite();
      return { kind: 'refused', reason: 'the server responded with status 403', isUnauthorized };
    },
  });
}

describe('a refused abort credential', () => {
  it('stops the guard at the first refusal, and an operator starts it again', async () => {
    const setup = await runUntilRefusal(true);
    const { guard, clock, of } = setup;
    expect(of('breaker')).toEqual([{ kind: 'breaker', breaker: 'credential', isOpen: true }]);
    expect(guard.readiness(clock.now())[0]?.reasons).toContain('credential_refused');
    expect(guard.breakers()).toMatchObject([{ key: 'credential', reason: 'credential', policy: '', query: '' }]);
    expect(guard.reset('credential')).toBe(true);
    expect(guard.readiness(clock.now())[0]?.reasons).not.toContain('credential_refused');
  });

  it('is not assumed when the server refuses an abort for another reason', async () => {
    const setup = await runUntilRefusal(false);
    expect(setup.orders).toHaveLength(1);
    expect(setup.of('breaker')).toEqual([]);
  });
});
