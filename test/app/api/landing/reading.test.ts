import { describe, expect, it } from 'vitest';
import type { NodeReport } from '../../../../src/api/clusters.ts';
import { type Doing, readingInWords } from '../../../../src/app/api/landing/reading.ts';
import { lines, wall } from './landing-fixtures.ts';

function ago(seconds: number): string {
  return new Date(wall - seconds * 1000).toISOString();
}

function doing(collector: string, node: string, more: Partial<Doing> = {}): Doing {
  return {
    cluster: 'prod',
    node,
    collector,
    scope: node === '' ? 'cluster' : 'node',
    state: 'healthy',
    source: node,
    reason: '',
    message: '',
    since: ago(600),
    lastPoll: ago(1),
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
    sinceFirstPoll: true,
    reason: '',
    message: '',
    sockets: 0,
  }));
}

const up = nodes({ m1: 'up', m2: 'up' });
const failing = { state: 'failing', reason: 'auth', message: 'GET /x on m1: 403', since: ago(80) } as const;

describe('our own reading in words', () => {
  it.each([
    ['all good', [doing('health', 'm1'), doing('license', '')], ['good: 2 polls, none failed']],
    [
      'some to come',
      [doing('health', 'm1'), doing('license', '', { state: 'unknown', since: null })],
      ['good: 1 poll, none failed, 1 not run yet'],
    ],
    ['all to come', [doing('health', 'm1', { state: 'unknown' })], ['plain: 0 polls, none failed, 1 not run yet']],
    [
      'one that fails for the whole cluster',
      [doing('health', 'm1'), doing('services', '', failing)],
      [
        'plain: 1 of 2 polls failed',
        'bad: services fails (auth) since 2026-09-22 04:52:00 UTC, for 1m 20s: GET /x on m1: 403.',
      ],
    ],
    [
      'one that fails for one reason on several nodes, with the details of the first failure',
      [
        doing('queries', 'm2', { ...failing, since: ago(20), message: 'later' }),
        doing('queries', 'm1', { ...failing, lastSuccess: null }),
      ],
      [
        'plain: 2 of 2 polls failed',
        'bad: queries on m2 and m1 fails (auth) since 2026-09-22 04:52:00 UTC, for 1m 20s: GET /x on m1: 403.',
      ],
    ],
    [
      'one that never worked and is tried less often by now',
      [doing('queries', 'm1', { ...failing, lastSuccess: null, intervalSeconds: 40 })],
      [
        'plain: 1 of 1 poll failed',
        'bad: queries on m1 fails (auth) since 2026-09-22 04:52:00 UTC, for 1m 20s, it never worked: GET /x on m1: 403. Tried every 40s.',
      ],
    ],
    [
      'different reasons',
      [doing('queries', 'm1', failing), doing('queries', 'm2', { ...failing, reason: 'body' })],
      [
        'plain: 2 of 2 polls failed',
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
        'good: 3 polls, none failed',
        'warning: queries on m1 and m2: read every 20s instead of every 5s, because answering costs the server too much',
      ],
    ],
    [
      'samples that were refused',
      [doing('metrics', '', { seriesDropped: 7 })],
      ['good: 1 poll, none failed', 'plain: 7 samples did not go on the page (twice there, or over limits)'],
    ],
  ])('%s', (_, all, expected) => {
    expect(lines(readingInWords(all, up, wall))).toEqual(expected);
  });

  it('do not repeat what a node that is down explains', () => {
    const all = [doing('health', 'm1', failing), doing('queries', 'm1', failing), doing('services', '', failing)];
    expect(lines(readingInWords(all, nodes({ m1: 'down', m2: 'up' }), wall))).toEqual([
      'plain: 3 of 3 polls failed',
      expect.stringContaining('bad: services fails'),
      'plain: 2 because of nodes that are down',
    ]);
    expect(lines(readingInWords(all, nodes({ m1: 'down' }), wall))).toEqual([
      'plain: 3 of 3 polls failed',
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
