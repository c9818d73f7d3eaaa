import { describe, expect, it } from 'vitest';
import type { Decision, Doubt } from '../../../src/guard/decision/decision.ts';
import { confirmationOf, doubtOf, intentDoubtOf, listDoubtOf, questionOf } from '../../../src/guard/decision/doubts.ts';
import type { GuardState, Standing } from '../../../src/guard/decision/state.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import { at } from '../listed.ts';
import { globs, policyOf } from '../scenes.ts';
import { contextOf } from './contexts.ts';
import { settingsOf, World } from './world.ts';

const settings = settingsOf([policyOf()]);

/** A decision in its grace, all of which is well. */
const world = new World(settings).begin();
world.start();
world.run(70_000);
const { state } = world;
const [decision] = state.decisions.values();

interface Changes {
  readonly state?: Partial<GuardState>;
  readonly standing?: Partial<Standing>;
  readonly settings?: GuardSettings;
  readonly decision?: Partial<Decision>;
}

function doubt(changes: Changes = {}): Doubt | undefined {
  if (decision === undefined) throw new Error('nothing was begun');
  const context = contextOf(changes.settings ?? settings, world.now());
  const next = { ...state, ...changes.state, standing: { ...state.standing, ...changes.standing } };
  return doubtOf(questionOf({ ...decision, ...changes.decision }, next, context));
}

describe('the checks', () => {
  it('find nothing where all is well', () => {
    expect(doubt()).toBeUndefined();
  });

  const target = decision?.target ?? { node: '', id: '', startTime: '', graph: '', query: '' };
  it.each<[Doubt, Changes]>([
    ['not_restored', { standing: { isRestored: false } }],
    ['paused', { standing: { isPaused: true } }],
    ['audit', { standing: { isAuditable: false } }],
    ['stopping', { standing: { isStopping: true } }],
    ['mode', { settings: { ...settings, mode: 'observe' } }],
    ['mode', { settings: settingsOf([policyOf(undefined, { mode: 'observe' })]) }],
    ['mode', { settings: settingsOf([]) }],
    ['mode', { decision: { mode: 'observe' } }],
    ['not_listed', { state: { views: new Map() } }],
    ['not_listed', { decision: { target: { ...target, id: 'another' } } }],
    ['not_listed', { decision: { target: { ...target, startTime: 'another' } } }],
    ['not_covered', { state: { instances: { nodes: new Map(), reports: new Map() } } }],
    [
      'unconfirmed',
      { state: { views: new Map([...state.views].map(([node, view]) => [node, { ...view, witnesses: new Map() }])) } },
    ],
    ['protected', { settings: { ...settings, protect: [{ query: globs('ring_*') }] } }],
    ['not_matched', { state: { matches: [] } }],
    ['not_matched', { state: { matches: state.matches.map((one) => ({ ...one, owns: false })) } }],
    ['unknown_graph', { state: { graphs: new Set(['sandbox']) } }],
    ['breaker', { state: { breakers: { ...state.breakers, open: new Set(['no_relief runaway']) } } }],
    ['breaker', { state: { breakers: { ...state.breakers, open: new Set(['same_query fraud ring_scan']) } } }],
  ])('%s', (expected, changes) => {
    expect(doubt(changes)).toBe(expected);
  });

  it('take no other breaker for theirs', () => {
    const open = new Set(['no_relief other', 'same_query fraud other']);
    expect(doubt({ state: { breakers: { ...state.breakers, open } } })).toBeUndefined();
  });

  it('take nothing but an installed query', () => {
    const views = [...state.views].map(([node, view]) => {
      const list = view.list && {
        ...view.list,
        candidates: new Map(
          [...view.list.candidates].map(([id, one]) => [
            id,
            { ...one, sighting: { ...one.sighting, kind: 'builtin' as const } },
          ]),
        ),
      };
      return [node, { ...view, list }] as const;
    });
    expect(doubt({ state: { views: new Map(views) } })).toBe('not_installed');
  });
});

describe('the list of a node', () => {
  it('is too old after a second and its duration, and where there is none', () => {
    const received = state.views.get('n1')?.list?.times.received.mono ?? 0;
    const later = (length: number) => ({ now: at(received - at(0).mono + length) });
    expect(listDoubtOf('n1', state, later(900))).toBeUndefined();
    expect(listDoubtOf('n1', state, later(1001))).toBe('too_old');
    expect(listDoubtOf('n2', state, later(0))).toBe('too_old');
  });

  it('is too old for an intent after half of that, since the intent has to get to the disk', () => {
    const received = state.views.get('n1')?.list?.times.received.mono ?? 0;
    const later = (length: number) => ({ now: at(received - at(0).mono + length) });
    expect([0, 499, 500].map((length) => intentDoubtOf('n1', state, later(length)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(intentDoubtOf('n1', state, later(501))).toBe('too_old');
    expect(intentDoubtOf('n2', state, later(0))).toBe('too_old');
  });

  it('confirms nothing that it does not know', () => {
    if (decision === undefined) throw new Error('nothing was begun');
    const context = contextOf(settings, at(0));
    expect(confirmationOf({ decision, state, context })).toBeTypeOf('number');
    expect(confirmationOf({ decision: { ...decision, policy: 'other' }, state, context })).toBeUndefined();
  });
});
