import { describe, expect, it } from 'vitest';
import {
  afterResume,
  initialPauseState,
  type PauseState,
  toPauseView,
  withReason,
  withStoredReasons,
} from '../../../src/app/guard/pause-switch.ts';

const free: PauseState = { isKnown: true, held: new Map(), file: 'absent', isConfigReadable: true };

describe('what holds the guard', () => {
  it.each<[string, PauseState, readonly string[]]>([
    ['nothing', free, []],
    ['what is not known', initialPauseState, ['file', 'state_lost']],
    ['what was not read', { ...free, isKnown: false }, ['state_lost']],
    ['the file', { ...free, file: 'there' }, ['file']],
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
    expect(toPauseView(pause)).toEqual({ isPaused: reasons.length > 0, reasons });
  });

  it('is ended by an operator, but for the file and for what came since', () => {
    const before = withReason(withReason({ ...free, file: 'there' }, 'operator', 1), 'unexpected_id', 2);
    expect(toPauseView(afterResume(before, before)).reasons).toEqual(['file']);
    const meanwhile = withReason(withReason(before, 'unexpected_id', 3), 'signal', 4);
    expect(toPauseView(afterResume(meanwhile, before)).reasons).toEqual(['signal', 'file', 'unexpected_id']);
  });

  it('is not taken back by what was stored before', () => {
    const once = withReason({ ...free, isKnown: false }, 'operator', 1);
    expect(withStoredReasons(once, ['operator']).held.get('operator')).toBe(1);
  });
});
