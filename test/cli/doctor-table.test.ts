import { describe, expect, it } from 'vitest';
import {
  causesTable,
  type DoctorFinding,
  findingsSummary,
  findingsTable,
  isFailing,
  reasonLabels,
} from '../../src/cli/doctor-table.ts';
import { probeFailureReasons } from '../../src/collect/probes/probe.ts';

function finding(parts: Partial<DoctorFinding> = {}): DoctorFinding {
  return {
    cluster: 'prod',
    node: 'm1',
    collector: 'health',
    call: 'ping',
    reason: 'works',
    latency: 1.6,
    advice: '',
    fix: '',
    tolerated: false,
    ...parts,
  };
}

describe('doctor table', () => {
  it('is aligned without trailing blanks', () => {
    const text = findingsTable([
      finding(),
      finding({ node: 'long-name', collector: 'queries', call: 'list', reason: 'auth', missingPrivilege: 'X' }),
    ]);
    expect(text).toBe(
      [
        'NODE            COLLECTOR  REQUEST  RESULT             LATENCY  ADVICE',
        'prod/m1         health     ping     works              2 ms',
        'prod/long-name  queries    list     missing privilege  2 ms',
        '',
      ].join('\n'),
    );
  });

  it('marks a failed request that the collector does not require', () => {
    expect(findingsTable([finding({ reason: 'auth', tolerated: true })])).toContain('access denied, not required');
  });

  it('contains no control characters of a server', () => {
    expect(findingsTable([finding({ reason: 'status', advice: 'bad\u001b[2J\nline' })])).toContain('bad [2J line\n');
  });

  it('has a text for each reason', () => {
    expect(Object.keys(reasonLabels).toSorted()).toEqual(
      ['works', 'no_credential', 'series_dropped', 'not_found', ...probeFailureReasons].toSorted(),
    );
  });
});

const rows = (...findings: readonly DoctorFinding[]): readonly string[] => causesTable(findings).trimEnd().split('\n');

describe('table of causes', () => {
  const calls = ['ping', 'echo', 'restppVersion', 'gsqlVersion', 'statistics'];

  it('has one row for a node that does not answer, with all its requests', () => {
    const failed = calls.map((call) =>
      finding({ call, reason: 'unreachable', advice: `${call}: refused`, fix: 'Check.' }),
    );
    expect(rows(finding(), ...failed)).toEqual([
      'NODES    RESULT       FIX     FIRST ERROR    REQUESTS',
      'prod/m1  unreachable  Check.  ping: refused  health ping, health echo, health restppVersion and 2 more',
    ]);
  });

  it('has one row for a node that refuses all requests', () => {
    const failed = calls.map((call) =>
      finding({ call, reason: 'status', advice: `${call}: status 503`, fix: 'Check.' }),
    );
    expect(rows(finding(), ...failed)).toEqual([
      expect.any(String),
      expect.stringMatching(/^prod\/m1 {2}reachable, refusing {2}Check\. /),
    ]);
  });

  it.each([
    ['body', 'invalid response', 'Check.'],
    ['status', 'reachable, refusing', 'Check.'],
    [
      'unsupported',
      'not found',
      'Check that the url of the node is that of the database, not of another server or a proxy.',
    ],
  ] as const)('has one row for a node whose requests all fail with %s', (reason, label, fix) => {
    const failed = calls.map((call) => finding({ call, reason, advice: `no ${call}`, fix: 'Check.' }));
    const [, row = '', ...others] = rows(...failed);
    expect(row).toMatch(new RegExp(`^prod/m1 {2}${label} {2}${fix.replaceAll('.', '\\.')} {2}no ping {2}`));
    expect(others).toEqual([]);
    expect(rows(...failed, finding({ call: 'echo' }))).toHaveLength(reason === 'status' ? 2 : 1 + calls.length);
  });

  it('has one row for access that is denied on all nodes', () => {
    const failed = ['m1', 'm2'].flatMap((node) =>
      calls.map((call) => finding({ node, call, reason: 'auth', fix: 'GRANT X' })),
    );
    expect(rows(...failed)).toEqual([
      expect.any(String),
      expect.stringMatching(/^prod\/m1, m2 {2}access denied {2}GRANT X/),
    ]);
    expect(rows(...failed, finding({ reason: 'auth', fix: 'GRANT Y' }))).toHaveLength(3);
    expect(rows(...failed, finding({ cluster: 'dev', reason: 'auth', fix: 'GRANT X' }))).toHaveLength(3);
  });

  it('has one row for each other request that fails, on all its nodes', () => {
    const failed = ['m1', 'm2'].map((node) =>
      finding({ node, call: 'license', reason: 'unsupported', tolerated: true }),
    );
    expect(rows(...failed, finding({ call: 'echo', reason: 'status' }))).toEqual([
      expect.any(String),
      expect.stringMatching(/^prod\/m1, m2 {2}unsupported by this version, not required/),
      expect.stringMatching(/^prod\/m1 {6}reachable, refusing/),
    ]);
  });

  it('is empty if all requests work', () => {
    expect(causesTable([finding()])).toBe('');
  });
});

describe('doctor summary', () => {
  it.each<[readonly DoctorFinding[], string]>([
    [[], 'no collectors enabled\n'],
    [[finding(), finding({ reason: 'auth', tolerated: true })], '1 of 2 requests work\nall enabled collectors work\n'],
    [
      [finding({ reason: 'timeout' }), finding({ reason: 'body' }), finding({ node: 'm2', reason: 'tls' })],
      '0 of 3 requests work\n2 failing: prod/m1/health, prod/m2/health\n',
    ],
  ])('is «$1»', (findings, sentence) => {
    expect(findingsSummary(findings)).toBe(sentence);
  });
});

it('a failed request fails its collector unless the collector works without it', () => {
  expect(isFailing(finding())).toBe(false);
  expect(isFailing(finding({ reason: 'auth' }))).toBe(true);
  expect(isFailing(finding({ reason: 'auth', tolerated: true }))).toBe(false);
});
