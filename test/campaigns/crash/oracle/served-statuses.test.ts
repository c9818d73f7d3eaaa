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
    ['the last poll result, at any time', [statusReply(0, 100, 'Online')], ['Online 100-Infinity']],
    [
      'two in a row',
      [statusReply(0, 100, 'Down'), statusReply(0, 200, 'Down'), statusReply(0, 300, 'Online')],
      ['Down 100-200', 'Online 300-Infinity'],
    ],
    [
      'not one alone',
      [statusReply(0, 100, 'Down'), statusReply(0, 200, 'Online'), statusReply(0, 300, 'Online')],
      ['Online 200-Infinity'],
    ],
    ['many in a row once', [100, 200, 300].map((at) => statusReply(0, at, 'Down')), ['Down 100-Infinity']],
    [
      'one before a kill and one after, by the life that goes on',
      [statusReply(0, 100, 'Down'), statusReply(1, 200, 'Down'), statusReply(1, 300, 'Online')],
      ['Down 100-300', 'Online 300-Infinity'],
    ],
  ])('%s', (_, readings, expected) => {
    expect(reported(...readings)).toEqual(expected);
  });

  it('is not a status that no daemon had time to store, and counts it as missed', () => {
    const readings = [statusReply(0, 100, 'Down'), statusReply(1, 200, 'Down'), statusReply(2, 300, 'Online')];
    expect(reported(...readings)).toEqual(['Online 300-Infinity']);
    expect(servedStatuses('GPE_1#1', readings).missedReplies).toBe(1);
  });

  it('is not a status whose response was so late that the daemon polled another node', () => {
    const readings = [
      statusReply(0, 100, 'Down'),
      { ...statusReply(0, 200, 'Down'), node: 2 },
      statusReply(1, 300, 'Online'),
    ];
    expect(reported(...readings)).toEqual(['Online 300-Infinity']);
  });

  it('is of this instance alone', () => {
    expect(servedStatuses('GPE_1#2', [statusReply(0, 100, 'Down')])).toEqual({ spans: [], missedReplies: 0 });
  });
});
