import { describe, expect, it } from 'vitest';
import { decisionKey } from '../../../src/guard/decision/decision.ts';
import { startTimeOf } from '../../../src/guard/decision/guard-conditions.ts';
import { initialState } from '../../../src/guard/decision/state.ts';
import { isEligible, proposeDecision, selectVictims } from '../../../src/guard/decision/victim-selection.ts';
import { createMatcher } from '../../../src/guard/matcher.ts';
import { bound, candidate, matchInputOf, policyOf } from '../match-inputs.ts';
import { at, entryOf, idAt } from '../observations.ts';
import { stepContextOf } from './contexts.ts';
import { decisionOf } from './decisions.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const minute = 60_000;

function began(simulation: GuardSimulation) {
  return simulation.of('began').map(({ policy, decision }) => `${policy} ${decision.target.query}`);
}

describe('decisions', () => {
  it('begin one at a time, oldest first, if configured', () => {
    const simulation = new GuardSimulation(settingsOf([policyOf()])).begin();
    simulation.start({ url: '/query/fraud/old' });
    simulation.run(5000);
    simulation.start({ url: '/query/fraud/young' });
    simulation.run(80_000);
    expect(began(simulation)).toEqual(['runaway old']);
    simulation.run(10 * minute);
    expect(began(simulation)).toEqual(['runaway old', 'runaway young']);
  });

  it('begin for an enforcing policy, even after an observing one', () => {
    const policies = [
      policyOf(undefined, { name: 'observing', mode: 'observe' }),
      policyOf(undefined, { name: 'enforcing' }),
    ];
    const simulation = new GuardSimulation(settingsOf(policies)).begin();
    simulation.start();
    expect(began(simulation.run(2 * minute))).toEqual(['enforcing ring_scan']);
  });

  it('begin for the first enforcing policy', () => {
    const policies = ['first', 'second'].map((name) => policyOf(undefined, { name }));
    const simulation = new GuardSimulation(settingsOf(policies)).begin();
    simulation.start();
    expect(began(simulation.run(4 * minute))).toEqual(['first ring_scan']);
  });

  it('begin again if a policy with precedence matches in the grace period', () => {
    const policies = [
      policyOf({ age: bound('> 80000') }, { name: 'enforcing' }),
      policyOf(undefined, { name: 'observing', mode: 'observe', grace: minute }),
    ];
    const simulation = new GuardSimulation(settingsOf(policies)).begin();
    simulation.start();
    simulation.run(4 * minute);
    expect(began(simulation)).toEqual(['observing ring_scan', 'enforcing ring_scan']);
    expect(simulation.of('cancelled')).toMatchObject([{ policy: 'observing' }]);
    expect(simulation.aborts).toHaveLength(1);
  });

  it('do not wait for a decision that can no longer be aborted', () => {
    const unstoppable = { abort: () => ({ answer: { kind: 'refused' as const }, ends: false }) };
    const simulation = new GuardSimulation(settingsOf([policyOf(undefined, { cooldown: 0 })]), unstoppable).begin();
    simulation.start({ url: '/query/fraud/old' });
    simulation.run(5000);
    simulation.start({ url: '/query/fraud/young' });
    simulation.run(5 * minute);
    expect(simulation.aborts.map(({ hit }) => hit?.url)).toEqual(['/query/fraud/old', '/query/fraud/young']);
  });

  it.each([
    ['ends', true, 1000, 2000],
    ['is still running, but not before that is its outcome', false, 30_000, 36_000],
  ] as const)('begin when the limit allows, because the previous one %s', (_, ends, least, most) => {
    const abort = ({ id }: { readonly id: string }) => ({ answer: { kind: 'accepted' as const, aborted: [id] }, ends });
    const policy = policyOf(undefined, { cooldown: 0, grace: 0 });
    const simulation = new GuardSimulation(settingsOf([policy]), { abort }).begin();
    simulation.start({ url: '/query/fraud/old' });
    simulation.run(1000);
    simulation.start({ url: '/query/fraud/young' });
    simulation.run(3 * minute);
    const [first, second] = simulation.of('began').map(({ time }) => time);
    const between = (second ?? 0) - (first ?? 0);
    expect([between > least, between <= most]).toEqual([true, true]);
  });

  it('do not begin from lists that are too old', () => {
    let isDead = false;
    const simulation = new GuardSimulation(settingsOf([policyOf()]), {
      body: (results) => (isDead ? undefined : { results }),
    }).begin();
    simulation.start();
    simulation.run(40_000);
    isDead = true;
    expect(began(simulation.run(5 * minute))).toEqual([]);
  });

  const nodes = ['n1', 'n2', 'n3'];

  it.each([
    ['n2', 1],
    ['n1', 0],
  ] as const)('begin in a group that is counted once, if %s responds for n2', (answers, begin) => {
    const group = { by: ['graph', 'query'], count: bound('>= 3') } as const;
    let latest: readonly unknown[] = [];
    const body = (results: readonly unknown[], node: string) => {
      if (node === answers) latest = results;
      return { results: node === 'n2' ? latest : results };
    };
    const simulation = new GuardSimulation(
      settingsOf([policyOf(undefined, { group })]),
      { body },
      { nodes, instances: {} },
    ).begin();
    for (const node of nodes) simulation.start({ node });
    expect(began(simulation.run(2 * minute))).toHaveLength(begin);
  });

  it.each([
    ['no node', 1],
    ['n3', 0],
  ])('begin in a group without young queries, while %s has no list', (silent, begin) => {
    const group = { by: ['query'], youngest: bound('> 30000') } as const;
    const instances = { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2', n3: 'RESTPP_1_3' };
    const body = (results: readonly unknown[], node: string) => (node === silent ? undefined : { results });
    const simulation = new GuardSimulation(
      settingsOf([policyOf(undefined, { group })]),
      { body },
      { nodes, instances },
    ).begin();
    simulation.start();
    expect(began(simulation.run(2 * minute))).toHaveLength(begin);
  });

  it.each([
    ['nothing', [], 1],
    ['a malformed entry', [entryOf({ requestid: idAt(0, 9, 'RESTPP_1_2'), url: '' })], 0],
  ])('begin in a group without young queries, next to a node with %s of unknown instance', (_, more, begin) => {
    const group = { by: ['query'], youngest: bound('> 30000') } as const;
    const body = (results: readonly unknown[], node: string) => ({
      results: [...results, ...(node === 'n2' ? more : [])],
    });
    const context = { nodes: ['n1', 'n2'], instances: { n1: 'RESTPP_1_1' } };
    const simulation = new GuardSimulation(settingsOf([policyOf(undefined, { group })]), { body }, context).begin();
    simulation.start();
    expect(began(simulation.run(2 * minute))).toHaveLength(begin);
  });

  it.each([
    ['with a valid entry', {}],
    ['with any url', { url: '' }],
    ['with any age', { elapsedTime: 999_999 }],
    ['with any id', { requestid: 'odd' }],
  ])('do not begin in a group without young queries if it has a young query %s', (_, changes) => {
    const group = { by: ['node'], youngest: bound('> 60000') } as const;
    const body = ([first, ...others]: readonly unknown[]) => ({
      results: [first, ...others.map((one) => ({ ...Object(one), ...changes }))],
    });
    const simulation = new GuardSimulation(settingsOf([policyOf({ age: bound('> 1000') }, { group })]), {
      body,
    }).begin();
    simulation.start();
    simulation.run(55_000);
    simulation.start();
    expect(began(simulation.run(20_000))).toEqual([]);
  });

  it.each([
    ['after', ['test', 'prod']],
    ['before', ['prod', 'test']],
  ])('begin for a policy %s one of another cluster', (_, clusters) => {
    const confirm = { observations: 4, apart: 5000 };
    const policies = clusters.map((name) => policyOf(undefined, { name, clusters: [name], confirm: { ...confirm } }));
    const simulation = new GuardSimulation(settingsOf(policies)).begin();
    simulation.start();
    simulation.run(300_000);
    expect(simulation.aborts).toHaveLength(1);
    expect(simulation.of('began')).toMatchObject([{ policy: 'prod' }]);
  });

  it('do not count queries in groups on a node that an earlier cluster guards', () => {
    const crowd = policyOf(undefined, { group: { by: ['graph', 'query'], count: bound('>= 2') } });
    const cluster = { nodes: ['n1', 'n2'], instances: { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2' } };
    const simulation = new GuardSimulation(settingsOf([crowd]), {}, cluster).begin();
    simulation.send({ kind: 'shared', nodes: ['n2'] });
    simulation.start();
    simulation.start({ node: 'n2' });
    simulation.run(300_000);
    expect([simulation.of('began'), simulation.aborts]).toEqual([[], []]);
    simulation.send({ kind: 'shared', nodes: [] });
    simulation.run(60_000);
    expect(simulation.aborts).toHaveLength(1);
  });

  it('do not begin without a list', () => {
    expect(selectVictims(initialState(), stepContextOf(settingsOf([policyOf()]), at(0))).outputs).toEqual([]);
  });
});

describe('decision of a match', () => {
  it('has its entry and its match time', () => {
    const one = candidate();
    const [match] = createMatcher(settingsOf([policyOf()]), 'prod')(matchInputOf([one])).matches;
    if (match === undefined) throw new Error('no match');
    const { id, startTime } = one.observation;
    const key = decisionKey({ node: 'n1', id, startTime });
    expect(proposeDecision(match)).toMatchObject({
      key,
      policy: 'runaway',
      mode: 'enforce',
      phase: 'grace',
      due: match.since + 30_000,
    });
  });

  it('that a match would start has the earliest end by the granted timeout', () => {
    const one = candidate({ timeout: { least: 1_800_000, most: 5_400_000 } });
    const matcher = createMatcher(settingsOf([policyOf()]), 'prod');
    const [match] = matcher(matchInputOf([one])).matches;
    expect(match && proposeDecision(match).endsAt).toBe(startTimeOf(one) + 1_800_000);
  });

  it.each([
    ['enforce', true, false],
    ['observe', false, false],
  ] as const)('that would %s may begin again after the report: %s', (mode, afterReported, afterBar) => {
    const decision = decisionOf({ mode });
    const only = new Set([decision.key]);
    expect(isEligible(decision, initialState())).toBe(true);
    expect(isEligible(decision, { ...initialState(), reportedKeys: only })).toBe(afterReported);
    expect(isEligible(decision, { ...initialState(), excludedKeys: only })).toBe(afterBar);
  });
});
