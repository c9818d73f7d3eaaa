import { describe, expect, it } from 'vitest';
import { initialNodeView } from '../../../src/guard/decision/node-view.ts';
import { andThen, initialState, stepForEach, withDecision, withNodeView } from '../../../src/guard/decision/state.ts';
import { pinnedInstance } from '../../../src/guard/instances.ts';
import { decisionOf } from './decisions.ts';

const empty = initialState();
const wake = (at: number) => ({ kind: 'wake', at }) as const;

describe('guard state', () => {
  it('has no decision at first, and allows no abort before the stored state is restored', () => {
    expect(empty.status).toEqual({ isRestored: false, isPaused: false, isAuditable: true, isStopping: false });
    expect(empty.decisions.size + empty.excludedKeys.size + empty.attempts.length).toBe(0);
  });

  it('has the instances of the configuration', () => {
    expect(pinnedInstance(initialState({ n1: 'RESTPP_1_1' }).instances, 'n1', 0)).toBe('RESTPP_1_1');
  });

  it('adds and removes decisions and node views without mutation', () => {
    const decision = decisionOf();
    const one = withDecision(empty, decision.key, decision);
    expect([...one.decisions.values()]).toEqual([decision]);
    expect(withDecision(one, decision.key, undefined).decisions.size).toBe(0);
    expect(one.decisions.size).toBe(1);
    expect(withNodeView(empty, 'n1', initialNodeView()).views.get('n1')).toEqual(initialNodeView());
    expect(empty.views.size).toBe(0);
  });
});

describe('steps', () => {
  it('return outputs in order', () => {
    const first = { state: empty, outputs: [wake(1)] };
    expect(andThen(first, (state) => ({ state, outputs: [wake(2)] })).outputs).toEqual([wake(1), wake(2)]);
    expect(stepForEach(empty, [1, 2, 3], (state, at) => ({ state, outputs: [wake(at)] })).outputs).toEqual(
      [1, 2, 3].map(wake),
    );
  });

  it('continue from the previous state', () => {
    const step = stepForEach(empty, ['a', 'b'], (state, name) => ({
      state: { ...state, graphs: new Set([...state.graphs, name]) },
      outputs: [],
    }));
    expect([...step.state.graphs]).toEqual(['a', 'b']);
  });
});
