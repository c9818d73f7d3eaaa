import { describe, expect, it } from 'vitest';
import type { StatusReply } from '../../../../campaigns/crash/evidence.ts';
import { servedStatuses } from '../../../../campaigns/crash/oracle/served-statuses.ts';
import { logStart, statusReply } from '../evidence-builders.ts';

/** `Online 1000-2000`: status, time of the first request, and time by which it must have been noticed. */
function reported(...readings: readonly StatusReply[]): readonly string[] {
  const { spans } = servedStatuses('GPE_1#1', readings);
  return spans.map(({ status, from, until }) => `${status} ${from - logStart}-${until - logStart}`);
}

describe('statuses that the daemon must detect', () => {
  it.each<[string, readonly StatusReply[], readonly string[]]>([
    ['include the last poll result, at any time', [statusReply(0, 100, 'Online')], ['Online 100-Infinity']],
    [
      'include a status of two poll results in a row',
      [statusReply(0, 100, 'Down'), statusReply(0, 200, 'Down'), statusReply(0, 300, 'Online')],
      ['Down 100-200', 'Online 300-Infinity'],
    ],
    [
      'do not include a status of a single poll result',
      [statusReply(0, 100, 'Down'), statusReply(0, 200, 'Online'), statusReply(0, 300, 'Online')],
      ['Online 200-Infinity'],
    ],
    [
      'include a status of many poll results in a row once',
      [100, 200, 300].map((at) => statusReply(0, at, 'Down')),
      ['Down 100-Infinity'],
    ],
    [
      'include a status of a poll result before a kill and one after it, for the later run',
      [statusReply(0, 100, 'Down'), statusReply(1, 200, 'Down'), statusReply(1, 300, 'Online')],
      ['Down 100-300', 'Online 300-Infinity'],
    ],
  ])('%s', (_, readings, expected) => {
    expect(reported(...readings)).toEqual(expected);
  });

  it('do not include a status that no daemon had time to store, which is counted as missed', () => {
    const readings = [statusReply(0, 100, 'Down'), statusReply(1, 200, 'Down'), statusReply(2, 300, 'Online')];
    expect(reported(...readings)).toEqual(['Online 300-Infinity']);
    expect(servedStatuses('GPE_1#1', readings).missedReplies).toBe(1);
  });

  it('do not include a status whose response was so late that the daemon polled another node', () => {
    const readings = [
      statusReply(0, 100, 'Down'),
      { ...statusReply(0, 200, 'Down'), node: 2 },
      statusReply(1, 300, 'Online'),
    ];
    expect(reported(...readings)).toEqual(['Online 300-Infinity']);
  });

  it('are those of this instance only', () => {
    expect(servedStatuses('GPE_1#2', [statusReply(0, 100, 'Down')])).toEqual({ spans: [], missedReplies: 0 });
  });
});
