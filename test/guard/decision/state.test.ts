import { describe, expect, it } from 'vitest';
import { each, initialState, onward, withDecision, withView } from '../../../src/guard/decision/state.ts';
import { initialView } from '../../../src/guard/decision/view.ts';
import { instanceOf } from '../../../src/guard/instances.ts';
import { decisionOf } from './decisions.ts';

const empty = initialState();
const wake = (at: number) => ({ kind: 'wake', at }) as const;

describe('the state', () => {
  it('begins with nothing decided, and nothing allowed before all is restored', () => {
    expect(empty.standing).toEqual({ isRestored: false, isPaused: false, isAuditable: true, isStopping: false });
    expect(empty.decisions.size + empty.barred.size + empty.attempts.length).toBe(0);
  });

  it('knows the instances of the configuration', () => {
    expect(instanceOf(initialState({ n1: 'RESTPP_1_1' }).instances, 'n1', 0)).toBe('RESTPP_1_1');
  });

  it('takes up decisions and views, and lets go of them, without a change in place', () => {
    const decision = decisionOf();
    const one = withDecision(empty, decision.key, decision);
    expect([...one.decisions.values()]).toEqual([decision]);
    expect(withDecision(one, decision.key, undefined).decisions.size).toBe(0);
    expect(one.decisions.size).toBe(1);
    expect(withView(empty, 'n1', initialView()).views.get('n1')).toEqual(initialView());
    expect(empty.views.size).toBe(0);
  });
});

describe('steps', () => {
  it('are told in their order', () => {
    const first = { state: empty, outputs: [wake(1)] };
    expect(onward(first, (state) => ({ state, outputs: [wake(2)] })).outputs).toEqual([wake(1), wake(2)]);
    expect(each(empty, [1, 2, 3], (state, at) => ({ state, outputs: [wake(at)] })).outputs).toEqual(
      [1, 2, 3].map(wake),
    );
  });

  it('go on from each other', () => {
    const step = each(empty, ['a', 'b'], (state, name) => ({
      state: { ...state, graphs: new Set([...state.graphs, name]) },
      outputs: [],
    }));
    expect([...step.state.graphs]).toEqual(['a', 'b']);
  });
});
