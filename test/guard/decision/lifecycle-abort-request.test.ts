import { describe, expect, it } from 'vitest';
import { type CheckInput, checkInputFor } from '../../../src/guard/decision/guard-conditions.ts';
import { buildAbortCommand } from '../../../src/guard/decision/lifecycle.ts';
import type { GuardState } from '../../../src/guard/decision/state.ts';
import { globs, policyOf } from '../match-inputs.ts';
import { stepContextOf } from './contexts.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const settings = settingsOf([policyOf()]);
const protecting = settingsOf([policyOf()], { protect: [{ query: globs('ring_*') }] });
const simulation = new GuardSimulation(settings).begin();
const { id } = simulation.start();
simulation.run(70_000);
const [decision] = simulation.state.decisions.values();
const manual = { by: 'alice', reason: 'node overloaded', whilePaused: false };

/** Request for the abort of a running query, with changes. */
function checkInput(changes: Partial<CheckInput> = {}, state: Partial<GuardState> = {}): CheckInput {
  if (decision === undefined) throw new Error('no decision began');
  return {
    ...checkInputFor(decision, { ...simulation.state, ...state }, stepContextOf(settings, simulation.now())),
    ...changes,
  };
}

function ofKind(kind: 'builtin' | 'installed'): Partial<CheckInput> {
  const { candidate } = checkInput();
  if (candidate === undefined) throw new Error('no query is listed');
  return { candidate: { ...candidate, observation: { ...candidate.observation, kind } } };
}

const protectedHere = { context: stepContextOf(protecting, simulation.now()) };

describe('abort command', () => {
  it('has the id, graph and node of one query, and the connection of its list', () => {
    const { key } = checkInput().decision;
    const order = { key, node: 'n1', connection: 'connection to n1', id, graph: 'fraud' };
    expect(buildAbortCommand(checkInput())).toEqual({ ok: true, value: order });
    expect(buildAbortCommand(checkInput(ofKind('installed')))).toEqual({ ok: true, value: order });
  });

  it.each<[string, CheckInput]>([
    ['mode', checkInput({ decision: { ...checkInput().decision, mode: 'observe' } })],
    ['not_listed', checkInput({ candidate: undefined })],
    ['not_listed', checkInput({}, { views: new Map() })],
    ['not_installed', checkInput(ofKind('builtin'))],
    ['protected', checkInput(protectedHere)],
    ['unknown_graph', checkInput({}, { graphs: new Set(['sandbox']) })],
  ])('is not created: %s (case %$)', (error, request) => {
    expect(buildAbortCommand(request)).toEqual({ ok: false, error });
  });

  it('of a manual abort includes protected queries, but skips no other guard condition', () => {
    const manualInput = { decision: { ...checkInput().decision, manual } };
    expect(buildAbortCommand(checkInput({ ...manualInput, ...protectedHere })).ok).toBe(true);
    expect(buildAbortCommand(checkInput({ ...manualInput, ...ofKind('builtin') })).ok).toBe(false);
  });
});
