import { describe, expect, it } from 'vitest';
import { endpointTimeouts } from '../../../src/alert/rules/endpoint-timeouts.ts';
import { findings, situationWith } from './rule-fixtures.ts';

const labels = { node: 'm1', graph: 'fraud', method: 'GET', path: '/query/fraud/ring_scan' };

function requests(completed: number, timeout: number) {
  return situationWith({
    graphdb_endpoint_recent_requests: [
      [{ ...labels, outcome: 'completed' }, completed],
      [{ ...labels, outcome: 'timeout' }, timeout],
    ],
  });
}

describe('endpoint_timeouts', () => {
  it.each([
    [95, 5, 0],
    [94, 6, 1],
    [0, 20, 1],
    [0, 19, 0],
    [19, 0, 0],
    [0, 0, 0],
  ])('with %d completed and %d timed out', (completed, timeout, count) => {
    expect(findings(endpointTimeouts, requests(completed, timeout))).toHaveLength(count);
  });

  it('states the share and the number of requests', () => {
    expect(findings(endpointTimeouts, requests(60, 20))).toEqual([
      { labels, facts: { timeouts: '20', requests: '80', percent: '25 %' } },
    ]);
  });

  it('evaluates each endpoint separately', () => {
    const other = { ...labels, path: '/query/fraud/other' };
    const situation = situationWith({
      graphdb_endpoint_recent_requests: [
        [{ ...labels, outcome: 'completed' }, 1000],
        [{ ...other, outcome: 'timeout' }, 30],
      ],
    });
    expect(findings(endpointTimeouts, situation).map((verdict) => verdict.labels.path)).toEqual([other.path]);
  });
});
