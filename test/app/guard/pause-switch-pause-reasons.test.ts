import { describe, expect, it } from 'vitest';
import type { PauseReason } from '../../../src/api/guard.ts';
import {
  afterResume,
  initialPauseState,
  type PauseState,
  toPauseView,
  withPause,
  withStoredPauses,
} from '../../../src/app/guard/pause-switch.ts';

/** A pause of all clusters. */
function withReason(state: PauseState, reason: PauseReason, serial: number): PauseState {
  return withPause(state, { reason, cluster: '' }, serial);
}

function withStoredReasons(state: PauseState, reasons: readonly PauseReason[]): PauseState {
  return withStoredPauses(
    state,
    reasons.map((reason) => ({ reason, cluster: '' })),
  );
}

function reasonsOf(state: PauseState, cluster = 'prod'): readonly PauseReason[] {
  return toPauseView(state, cluster).reasons;
}

const free: PauseState = { isKnown: true, held: [], file: 'absent', isConfigReadable: true };

describe('pause reasons', () => {
  it.each<[string, PauseState, readonly string[]]>([
    ['nothing', free, []],
    ['what is not known', initialPauseState, ['file', 'state_lost']],
    ['what was not read', { ...free, isKnown: false }, ['state_lost']],
    ['the file', { ...free, file: 'present' }, ['file']],
    ['a path that cannot be read', { ...free, file: 'unreadable' }, ['file']],
    ['an unreadable guard section', { ...free, isConfigReadable: false }, ['config']],
    [
      'several, in their order',
      withReason(withReason(free, 'unexpected_id', 1), 'operator', 2),
      ['operator', 'unexpected_id'],
    ],
    ['one of them once', withReason(withReason(free, 'signal', 1), 'signal', 2), ['signal']],
    [
      'what was stored',
      withStoredReasons({ ...free, isKnown: false }, ['signal', 'state_lost']),
      ['signal', 'state_lost'],
    ],
    [
      'what came before that was read',
      withStoredReasons(withReason(initialPauseState, 'operator', 1), []),
      ['operator', 'file'],
    ],
  ])('is %s', (_, pause, reasons) => {
    expect(toPauseView(pause, '')).toEqual({ isPaused: reasons.length > 0, reasons });
    expect(toPauseView(pause, 'prod')).toEqual({ isPaused: reasons.length > 0, reasons });
  });

  it('are ended by an operator, except for the file and for later reasons', () => {
    const before = withReason(withReason({ ...free, file: 'present' }, 'operator', 1), 'unexpected_id', 2);
    expect(reasonsOf(afterResume(before, before))).toEqual(['file']);
    const meanwhile = withReason(withReason(before, 'unexpected_id', 3), 'signal', 4);
    expect(reasonsOf(afterResume(meanwhile, before))).toEqual(['signal', 'file', 'unexpected_id']);
  });

  it('are not undone by earlier stored reasons', () => {
    const once = withReason({ ...free, isKnown: false }, 'operator', 1);
    expect(withStoredReasons(once, ['operator']).held).toEqual([{ reason: 'operator', cluster: '', serial: 1 }]);
  });
});

describe('pause reasons of one cluster', () => {
  const prod = withPause(free, { reason: 'unexpected_id', cluster: 'prod' }, 1);

  it('do not pause the guard of another cluster', () => {
    expect([reasonsOf(prod), reasonsOf(prod, 'test'), reasonsOf(prod, '')]).toEqual([['unexpected_id'], [], []]);
  });

  it('add to the reasons of all clusters, each once', () => {
    const all = withReason(withReason(prod, 'operator', 2), 'unexpected_id', 3);
    expect([reasonsOf(all), reasonsOf(all, 'test')]).toEqual([
      ['operator', 'unexpected_id'],
      ['operator', 'unexpected_id'],
    ]);
    expect(reasonsOf(afterResume(all, all, 'prod'))).toEqual(['operator', 'unexpected_id']);
  });

  it('are ended separately, or with all others', () => {
    const both = withPause(prod, { reason: 'unexpected_id', cluster: 'test' }, 2);
    const left = afterResume(both, both, 'prod');
    expect([reasonsOf(left), reasonsOf(left, 'test')]).toEqual([[], ['unexpected_id']]);
    expect(afterResume(both, both)).toEqual(free);
  });
});
