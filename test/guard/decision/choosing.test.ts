import { describe, expect, it } from 'vitest';
import { chosen, eligible, proposed } from '../../../src/guard/decision/choosing.ts';
import { decisionKey } from '../../../src/guard/decision/decision.ts';
import { initialState } from '../../../src/guard/decision/state.ts';
import { createMatcher } from '../../../src/guard/matcher.ts';
import { at, entryOf, idAt } from '../listed.ts';
import { bound, candidate, policyOf, sceneOf } from '../scenes.ts';
import { contextOf } from './contexts.ts';
import { decisionOf } from './decisions.ts';
import { settingsOf, World } from './world.ts';

const minute = 60_000;

function began(world: World) {
  return world.of('began').map(({ policy, decision }) => `${policy} ${decision.target.query}`);
}

describe('which decisions begin', () => {
  it('one at a time, the oldest, where the policy says so', () => {
    const world = new World(settingsOf([policyOf()])).begin();
    world.start({ url: '/query/fraud/old' });
    world.run(5000);
    world.start({ url: '/query/fraud/young' });
    world.run(80_000);
    expect(began(world)).toEqual(['runaway old']);
    world.run(10 * minute);
    expect(began(world)).toEqual(['runaway old', 'runaway young']);
  });

  it('by the policy that enforces, even behind one that observes', () => {
    const policies = [policyOf(undefined, { name: 'looks', mode: 'observe' }), policyOf(undefined, { name: 'acts' })];
    const world = new World(settingsOf(policies)).begin();
    world.start();
    expect(began(world.run(2 * minute))).toEqual(['acts ring_scan']);
  });

  it('by the first of those that enforce', () => {
    const policies = ['first', 'second'].map((name) => policyOf(undefined, { name }));
    const world = new World(settingsOf(policies)).begin();
    world.start();
    expect(began(world.run(4 * minute))).toEqual(['first ring_scan']);
  });

  it('anew where a better right comes up in the grace', () => {
    const policies = [
      policyOf({ age: bound('> 80000') }, { name: 'acts' }),
      policyOf(undefined, { name: 'looks', mode: 'observe', grace: minute }),
    ];
    const world = new World(settingsOf(policies)).begin();
    world.start();
    world.run(4 * minute);
    expect(began(world)).toEqual(['looks ring_scan', 'acts ring_scan']);
    expect(world.of('cancelled')).toMatchObject([{ policy: 'looks' }]);
    expect(world.aborts).toHaveLength(1);
  });

  it('not behind one that cannot be aborted any more', () => {
    const zombie = { abort: () => ({ answer: { kind: 'refused' as const }, ends: false }) };
    const world = new World(settingsOf([policyOf(undefined, { cooldown: 0 })]), zombie).begin();
    world.start({ url: '/query/fraud/old' });
    world.run(5000);
    world.start({ url: '/query/fraud/young' });
    world.run(5 * minute);
    expect(world.aborts.map(({ hit }) => hit?.url)).toEqual(['/query/fraud/old', '/query/fraud/young']);
  });

  it.each([
    ['ends', true, 1000, 2000],
    ['does not, until that is its outcome', false, 30_000, 36_000],
  ] as const)('when there is room again, as the one before %s', (_, ends, least, most) => {
    const abort = ({ id }: { readonly id: string }) => ({ answer: { kind: 'taken' as const, aborted: [id] }, ends });
    const policy = policyOf(undefined, { cooldown: 0, grace: 0 });
    const world = new World(settingsOf([policy]), { abort }).begin();
    world.start({ url: '/query/fraud/old' });
    world.run(1000);
    world.start({ url: '/query/fraud/young' });
    world.run(3 * minute);
    const [first, second] = world.of('began').map(({ time }) => time);
    const between = (second ?? 0) - (first ?? 0);
    expect([between > least, between <= most]).toEqual([true, true]);
  });

  it('not from lists that are too old to tell', () => {
    let isDead = false;
    const world = new World(settingsOf([policyOf()]), {
      body: (results) => (isDead ? undefined : { results }),
    }).begin();
    world.start();
    world.run(40_000);
    isDead = true;
    expect(began(world.run(5 * minute))).toEqual([]);
  });

  const nodes = ['n1', 'n2', 'n3'];

  it.each([
    ['n2', 1],
    ['n1', 0],
  ] as const)('in company that is counted once, where n2 is answered by %s', (answers, begin) => {
    const group = { by: ['graph', 'query'], count: bound('>= 3') } as const;
    let latest: readonly unknown[] = [];
    const body = (results: readonly unknown[], node: string) => {
      if (node === answers) latest = results;
      return { results: node === 'n2' ? latest : results };
    };
    const world = new World(settingsOf([policyOf(undefined, { group })]), { body }, { nodes, instances: {} }).begin();
    for (const node of nodes) world.start({ node });
    expect(began(world.run(2 * minute))).toHaveLength(begin);
  });

  it.each([
    ['nobody', 1],
    ['n3', 0],
  ])('in company of which nobody may be young, where nothing is heard of %s', (silent, begin) => {
    const group = { by: ['query'], youngest: bound('> 30000') } as const;
    const instances = { n1: 'RESTPP_1_1', n2: 'RESTPP_1_2', n3: 'RESTPP_1_3' };
    const body = (results: readonly unknown[], node: string) => (node === silent ? undefined : { results });
    const world = new World(settingsOf([policyOf(undefined, { group })]), { body }, { nodes, instances }).begin();
    world.start();
    expect(began(world.run(2 * minute))).toHaveLength(begin);
  });

  it.each([
    ['nothing', [], 1],
    ['an odd entry', [entryOf({ requestid: idAt(0, 9, 'RESTPP_1_2'), url: '' })], 0],
  ])('in company of which nobody may be young, beside a node with %s whose instance is not known', (_, more, begin) => {
    const group = { by: ['query'], youngest: bound('> 30000') } as const;
    const body = (results: readonly unknown[], node: string) => ({
      results: [...results, ...(node === 'n2' ? more : [])],
    });
    const place = { nodes: ['n1', 'n2'], instances: { n1: 'RESTPP_1_1' } };
    const world = new World(settingsOf([policyOf(undefined, { group })]), { body }, place).begin();
    world.start();
    expect(began(world.run(2 * minute))).toHaveLength(begin);
  });

  it.each([
    ['with a proper entry', {}],
    ['whatever its url', { url: '' }],
    ['whatever its ages', { elapsedTime: 999_999 }],
    ['whatever its id', { requestid: 'odd' }],
  ])('not in company of which nobody may be young, beside a young one %s', (_, changes) => {
    const group = { by: ['node'], youngest: bound('> 60000') } as const;
    const body = ([first, ...others]: readonly unknown[]) => ({
      results: [first, ...others.map((one) => ({ ...Object(one), ...changes }))],
    });
    const world = new World(settingsOf([policyOf({ age: bound('> 1000') }, { group })]), { body }).begin();
    world.start();
    world.run(55_000);
    world.start();
    expect(began(world.run(20_000))).toEqual([]);
  });

  it('none at all where nothing is listed', () => {
    expect(chosen(initialState(), contextOf(settingsOf([policyOf()]), at(0))).outputs).toEqual([]);
  });
});

describe('a match as a decision', () => {
  it('is about its entry, from M on', () => {
    const one = candidate();
    const [match] = createMatcher(settingsOf([policyOf()]), 'prod')(sceneOf([one])).matches;
    if (match === undefined) throw new Error('no match');
    const { id, startTime } = one.sighting;
    const key = decisionKey({ node: 'n1', id, startTime });
    expect(proposed(match)).toMatchObject({
      key,
      policy: 'runaway',
      mode: 'enforce',
      phase: 'grace',
      due: match.since + 30_000,
    });
  });

  it.each([
    ['enforce', true, false],
    ['observe', false, false],
  ] as const)('that would %s may be one after it was told: %s', (mode, afterTold, afterBar) => {
    const decision = decisionOf({ mode });
    const only = new Set([decision.key]);
    expect(eligible(decision, initialState())).toBe(true);
    expect(eligible(decision, { ...initialState(), told: only })).toBe(afterTold);
    expect(eligible(decision, { ...initialState(), barred: only })).toBe(afterBar);
  });
});
