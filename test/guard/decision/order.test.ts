import { describe, expect, it } from 'vitest';
import { type Question, questionOf } from '../../../src/guard/decision/doubts.ts';
import { orderOf } from '../../../src/guard/decision/order.ts';
import type { GuardState } from '../../../src/guard/decision/state.ts';
import { globs, policyOf } from '../scenes.ts';
import { contextOf } from './contexts.ts';
import { settingsOf, World } from './world.ts';

const settings = settingsOf([policyOf()]);
const protecting = settingsOf([policyOf()], { protect: [{ query: globs('ring_*') }] });
const world = new World(settings).begin();
const { id } = world.start();
world.run(70_000);
const [decision] = world.state.decisions.values();
const manual = { by: 'alice', reason: 'it hurts', whilePaused: false };

/** What the checks are asked of a query that runs, as it is said to be otherwise. */
function question(changes: Partial<Question> = {}, state: Partial<GuardState> = {}): Question {
  if (decision === undefined) throw new Error('nothing was begun');
  return { ...questionOf(decision, { ...world.state, ...state }, contextOf(settings, world.now())), ...changes };
}

function ofKind(kind: 'builtin' | 'installed'): Partial<Question> {
  const { candidate } = question();
  if (candidate === undefined) throw new Error('nothing is listed');
  return { candidate: { ...candidate, sighting: { ...candidate.sighting, kind } } };
}

const protectedHere = { context: contextOf(protecting, world.now()) };

describe('the order to abort', () => {
  it('is for one query, in its graph, on its node, at the address of the list', () => {
    const { key } = question().decision;
    const path = `/abortquery/fraud?requestid=${id}`;
    const order = { key, node: 'n1', address: '10.0.0.1:n1', id, graph: 'fraud', path };
    expect(orderOf(question())).toEqual({ ok: true, value: order });
    expect(orderOf(question(ofKind('installed')))).toEqual({ ok: true, value: order });
  });

  it.each<[string, Question]>([
    ['mode', question({ decision: { ...question().decision, mode: 'observe' } })],
    ['not_listed', question({ candidate: undefined })],
    ['not_listed', question({}, { views: new Map() })],
    ['not_installed', question(ofKind('builtin'))],
    ['protected', question(protectedHere)],
    ['unknown_graph', question({}, { graphs: new Set(['sandbox']) })],
  ])('is none, whatever was asked before: %s', (error, asked) => {
    expect(orderOf(asked)).toEqual({ ok: false, error });
  });

  it('by hand is for what is protected as well, and for no more', () => {
    const byHand = { decision: { ...question().decision, manual } };
    expect(orderOf(question({ ...byHand, ...protectedHere })).ok).toBe(true);
    expect(orderOf(question({ ...byHand, ...ofKind('builtin') })).ok).toBe(false);
  });
});
