import { describe, expect, it } from 'vitest';
import type { NodeReport } from '../../../../src/api/clusters.ts';
import { nodesInWords } from '../../../../src/app/api/landing/nodes.ts';
import { lines, wall } from './landing-fixtures.ts';

function node(name: string, seconds: number, more: Partial<NodeReport> = {}): NodeReport {
  return {
    name,
    address: `http://${name}:14240`,
    state: 'up',
    since: new Date(wall - seconds * 1000).toISOString(),
    sinceFirstPoll: true,
    reason: '',
    message: '',
    sockets: 1,
    ...more,
  };
}

const refused = {
  state: 'down',
  reason: 'unreachable',
  message: 'the connection was refused',
  sinceFirstPoll: false,
} as const;
const unasked = { state: 'unknown', since: null } as const;

describe('nodes in words', () => {
  it.each([
    ['all up', [node('m1', 90), node('m2', 50)], ['good: All 2 nodes are up, for at least 50s']],
    ['the only one up', [node('m1', 90)], ['good: The node is up, for at least 1m 30s']],
    [
      'one down',
      [node('m1', 90), node('m2', 80, refused)],
      [
        'plain: 1 of 2 nodes up',
        'bad: m2 (http://m2:14240) is down (unreachable) since 2026-09-22 04:52:00 UTC, for 1m 20s: the connection was refused.',
      ],
    ],
    [
      'several down for one reason, with the details of the first failure',
      [node('m1', 20, refused), node('m2', 80, { ...refused, message: 'first' }), node('m3', 9)],
      [
        'plain: 1 of 3 nodes up',
        'bad: m1 and m2 are down (unreachable) since 2026-09-22 04:52:00 UTC, for 1m 20s: first.',
      ],
    ],
    [
      'down since before we looked',
      [node('m1', 5, { ...refused, sinceFirstPoll: true })],
      [
        'plain: 0 of 1 node up',
        'bad: m1 (http://m1:14240) is down (unreachable) since 2026-09-22 04:53:15 UTC, for 5s, never seen up: the connection was refused.',
      ],
    ],
    [
      'one back',
      [node('m1', 900), node('m2', 20, { sinceFirstPoll: false })],
      ['good: All 2 nodes are up, for at least 20s', 'plain: m2 was away until 2026-09-22 04:53:00 UTC, 20s ago'],
    ],
    [
      'several back',
      [node('m1', 900, { sinceFirstPoll: false }), node('m2', 20, { sinceFirstPoll: false })],
      [
        'good: All 2 nodes are up, for at least 20s',
        'plain: m1 and m2 were away, the last one until 2026-09-22 04:53:00 UTC, 20s ago',
      ],
    ],
    [
      'up for more than a day after an outage',
      [node('m1', 86_400, { sinceFirstPoll: false })],
      ['good: The node is up, for at least 1d'],
    ],
    ['no node polled yet', [node('m1', 0, unasked)], ['plain: 0 of 1 node up', 'plain: Not asked yet: m1']],
    ['no node known', [], ['bad: No node is known']],
  ])('%s', (_, nodes, expected) => {
    expect(lines(nodesInWords(nodes, wall))).toEqual(expected);
  });

  it('get one statement with a hint for each reason', () => {
    const statements = nodesInWords(
      [node('m1', 20, refused), node('m2', 80, { ...refused, reason: 'tls', message: 'expired' })],
      wall,
    );
    expect(statements.map(({ hint }) => hint)).toEqual([
      undefined,
      expect.stringContaining('firewall'),
      expect.stringContaining('ca_file'),
    ]);
  });

  it('stay short whatever the server says', () => {
    const [, said = ''] = lines(nodesInWords([node('m1', 1, { ...refused, message: 'x'.repeat(10_000) })], wall));
    expect(said.length).toBeLessThan(500);
  });
});
