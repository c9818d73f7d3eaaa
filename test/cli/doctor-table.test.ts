import { describe, expect, it } from 'vitest';
import { type Finding, findingsSummary, findingsTable, isFailing, reasonLabels } from '../../src/cli/doctor-table.ts';
import { failureReasons } from '../../src/kernel/failure.ts';

function finding(parts: Partial<Finding> = {}): Finding {
  return {
    cluster: 'prod',
    node: 'm1',
    collector: 'health',
    call: 'ping',
    reason: 'works',
    latency: 1.6,
    advice: '',
    tolerated: false,
    ...parts,
  };
}

describe('doctor table', () => {
  it('is aligned without trailing blanks', () => {
    const text = findingsTable([
      finding(),
      finding({ node: 'long-name', collector: 'queries', call: 'processListAll', reason: 'auth', advice: 'grant X' }),
    ]);
    expect(text).toBe(
      [
        'NODE            COLLECTOR  REQUEST         RESULT             LATENCY  ADVICE',
        'prod/m1         health     ping            works              2 ms',
        'prod/long-name  queries    processListAll  missing privilege  2 ms     grant X',
        '',
      ].join('\n'),
    );
  });

  it('marks a failed request that the collector does not require', () => {
    expect(findingsTable([finding({ reason: 'auth', tolerated: true })])).toContain('missing privilege, not required');
  });

  it('contains no control characters of a server', () => {
    expect(findingsTable([finding({ reason: 'status', advice: 'bad\u001b[2J\nline' })])).toContain('bad [2J line\n');
  });

  it('has a text for each reason', () => {
    expect(Object.keys(reasonLabels).toSorted()).toEqual(
      ['works', 'no_credential', 'series_dropped', ...failureReasons].toSorted(),
    );
  });
});

describe('doctor summary', () => {
  it.each<[readonly Finding[], string]>([
    [[], 'no collectors enabled\n'],
    [[finding(), finding({ reason: 'auth', tolerated: true })], 'all enabled collectors work\n'],
    [
      [finding({ reason: 'timeout' }), finding({ reason: 'body' }), finding({ node: 'm2', reason: 'tls' })],
      '2 failing: prod/m1/health, prod/m2/health\n',
    ],
  ])('%j', (findings, sentence) => {
    expect(findingsSummary(findings)).toBe(sentence);
  });
});

it('a failed request fails its collector unless the collector works without it', () => {
  expect(isFailing(finding())).toBe(false);
  expect(isFailing(finding({ reason: 'auth' }))).toBe(true);
  expect(isFailing(finding({ reason: 'auth', tolerated: true }))).toBe(false);
});
