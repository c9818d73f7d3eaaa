import { describe, expect, it } from 'vitest';
import { type Doing, readingInWords } from '../../../src/app/landing/reading.ts';
import type { NodeReport } from '../../../src/app/report.ts';
import { lines, wall } from './told.ts';

function ago(seconds: number): string {
  return new Date(wall - seconds * 1000).toISOString();
}

function doing(collector: string, node: string, more: Partial<Doing> = {}): Doing {
  return {
    cluster: 'prod',
    node,
    collector,
    scope: node === '' ? 'cluster' : 'node',
    state: 'good',
    source: node,
    reason: '',
    message: '',
    since: ago(600),
    lastReading: ago(1),
    lastSuccess: ago(1),
    durationSeconds: 0.1,
    intervalSeconds: 5,
    series: 1,
    seriesDropped: 0,
    failures: {},
    skipped: {},
    sourceSwitches: 0,
    everySeconds: 5,
    privilege: '',
    ...more,
  };
}

function nodes(states: Readonly<Record<string, NodeReport['state']>>): readonly NodeReport[] {
  return Object.entries(states).map(([name, state]) => ({
    name,
    state,
    address: '',
    since: null,
    sinceFirstLook: true,
    reason: '',
    message: '',
    sockets: 0,
  }));
}

const up = nodes({ m1: 'up', m2: 'up' });
const failing = { state: 'failing', reason: 'auth', message: 'GET /x on m1: 403', since: ago(80) } as const;

describe('our own reading in words', () => {
  it.each([
    ['all good', [doing('health', 'm1'), doing('license', '')], ['good: 2 readings, none fails']],
    [
      'some to come',
      [doing('health', 'm1'), doing('license', '', { state: 'waiting', since: null })],
      ['good: 1 reading, none fails, 1 not made yet'],
    ],
    ['all to come', [doing('health', 'm1', { state: 'waiting' })], ['plain: 0 readings, none fails, 1 not made yet']],
    [
      'one that fails for the whole cluster',
      [doing('health', 'm1'), doing('services', '', failing)],
      [
        'plain: 1 of 2 readings failed',
        'bad: services fails (auth) since 2026-09-22 04:52:00 UTC, for 1 min 20 s: GET /x on m1: 403.',
      ],
    ],
    [
      'one that fails alike on several nodes, told by where it began',
      [
        doing('queries', 'm2', { ...failing, since: ago(20), message: 'later' }),
        doing('queries', 'm1', { ...failing, lastSuccess: null }),
      ],
      [
        'plain: 2 of 2 readings failed',
        'bad: queries on m2 and m1 fails (auth) since 2026-09-22 04:52:00 UTC, for 1 min 20 s: GET /x on m1: 403.',
      ],
    ],
    [
      'one that never worked and is tried less often by now',
      [doing('queries', 'm1', { ...failing, lastSuccess: null, intervalSeconds: 40 })],
      [
        'plain: 1 of 1 reading failed',
        'bad: queries on m1 fails (auth) since 2026-09-22 04:52:00 UTC, for 1 min 20 s, it never worked: GET /x on m1: 403. Tried every 40 s.',
      ],
    ],
    [
      'different reasons',
      [doing('queries', 'm1', failing), doing('queries', 'm2', { ...failing, reason: 'body' })],
      [
        'plain: 2 of 2 readings failed',
        expect.stringContaining('queries on m1 fails (auth)'),
        expect.stringContaining('queries on m2 fails (body)'),
      ],
    ],
    [
      'good ones that are read less often',
      [
        doing('queries', 'm1', { intervalSeconds: 10 }),
        doing('queries', 'm2', { intervalSeconds: 20 }),
        doing('consistency', '', { everySeconds: 0, intervalSeconds: null }),
      ],
      [
        'good: 3 readings, none fails',
        'warning: queries on m1 and m2: read every 20 s instead of every 5 s, because answering costs the server too much',
      ],
    ],
    [
      'samples that were refused',
      [doing('metrics', '', { seriesDropped: 7 })],
      ['good: 1 reading, none fails', 'plain: 7 samples did not go on the page (twice there, or over limits)'],
    ],
  ])('%s', (_, all, expected) => {
    expect(lines(readingInWords(all, up, wall))).toEqual(expected);
  });

  it('do not repeat what a node that is down explains', () => {
    const all = [doing('health', 'm1', failing), doing('queries', 'm1', failing), doing('services', '', failing)];
    expect(lines(readingInWords(all, nodes({ m1: 'down', m2: 'up' }), wall))).toEqual([
      'plain: 3 of 3 readings failed',
      expect.stringContaining('bad: services fails'),
      'plain: 2 because of nodes that are down',
    ]);
    expect(lines(readingInWords(all, nodes({ m1: 'down' }), wall))).toEqual([
      'plain: 3 of 3 readings failed',
      'plain: 3 because of nodes that are down',
    ]);
    expect(lines(readingInWords(all.slice(2), [], wall))).toHaveLength(2);
  });

  it('hints once at what helps against several failures', () => {
    const all = [doing('services', '', failing), doing('license', '', failing), doing('queries', 'm1', failing)];
    all.push(doing('statistics', 'm1', { ...failing, privilege: 'READ_DATA' }));
    const hints = readingInWords(all, up, wall).map(({ hint }) => hint?.slice(0, 20));
    expect(hints).toEqual([undefined, "The cluster's read_a", undefined, undefined, 'It needs the privile']);
  });

  it('hints at the privilege that is missing', () => {
    const [, said] = readingInWords([doing('queries', 'm1', { ...failing, privilege: 'READ_DATA' })], up, wall);
    expect(said?.hint).toContain('the privilege READ_DATA');
  });
});
