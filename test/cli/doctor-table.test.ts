import { describe, expect, it } from 'vitest';
import { type Finding, isBroken, summary, table, verdicts } from '../../src/cli/doctor-table.ts';
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

describe('the table', () => {
  it('is aligned, without blanks at the ends of its lines', () => {
    const text = table([
      finding(),
      finding({ node: 'long-name', collector: 'queries', call: 'processListAll', reason: 'auth', advice: 'grant X' }),
    ]);
    expect(text).toBe(
      [
        'NODE            COLLECTOR  CALL            RESULT             LATENCY  ADVICE',
        'prod/m1         health     ping            works              2 ms',
        'prod/long-name  queries    processListAll  missing privilege  2 ms     grant X',
        '',
      ].join('\n'),
    );
  });

  it('says what can be done without', () => {
    expect(table([finding({ reason: 'auth', tolerated: true })])).toContain('missing privilege, not needed');
  });

  it('keeps control characters of a server out of the terminal', () => {
    expect(table([finding({ reason: 'status', advice: 'bad\u001b[2J\nline' })])).toContain('bad [2J line\n');
  });

  it('has a word for every reason', () => {
    expect(Object.keys(verdicts).toSorted()).toEqual(['works', 'no_credential', ...failureReasons].toSorted());
  });
});

describe('the summary', () => {
  it.each<[readonly Finding[], string]>([
    [[], 'no collector is enabled\n'],
    [[finding(), finding({ reason: 'auth', tolerated: true })], 'every enabled collector works\n'],
    [
      [finding({ reason: 'timeout' }), finding({ reason: 'body' }), finding({ node: 'm2', reason: 'tls' })],
      '2 do not work: prod/m1/health, prod/m2/health\n',
    ],
  ])('%j', (findings, sentence) => {
    expect(summary(findings)).toBe(sentence);
  });
});

it('a call that does not work breaks its collector unless that works without', () => {
  expect(isBroken(finding())).toBe(false);
  expect(isBroken(finding({ reason: 'auth' }))).toBe(true);
  expect(isBroken(finding({ reason: 'auth', tolerated: true }))).toBe(false);
});
