import { describe, expect, it } from 'vitest';
import type { TransitionReport } from '../../src/api/services.ts';
import { transitionTable } from '../../src/cli/transition-table.ts';

function report(more: Partial<TransitionReport> = {}): TransitionReport {
  return {
    at: '2026-09-22T04:53:20.125Z',
    cluster: 'prod',
    service: 'GPE',
    partition: '1',
    replica: '2',
    from: 'Online',
    to: 'Down',
    lastedSeconds: 7325.4,
    process: 'Stopped',
    source: 'm1',
    eventId: 'e',
    eventNs: '1',
    ...more,
  };
}

function lines(...reports: readonly TransitionReport[]): readonly string[] {
  return transitionTable(reports).trimEnd().split('\n').slice(1);
}

describe('transition table', () => {
  it('has a header and a row for each transition', () => {
    expect(transitionTable([report(), report({ at: '2026-09-22T04:54:00.000Z', from: 'Down', to: 'Online' })])).toBe(
      [
        'TIME                  CLUSTER  SERVICE  FROM    TO      AFTER  SOURCE',
        '2026-09-22 04:53:20Z  prod     GPE_1#2  Online  Down    2h 2m  m1',
        '2026-09-22 04:54:00Z  prod     GPE_1#2  Down    Online  2h 2m  m1',
        '',
      ].join('\n'),
    );
  });

  it('states that it is empty', () => {
    expect(transitionTable([])).toBe('no transitions\n');
  });

  it.each([
    ['1', '2', 'GPE_1#2'],
    ['1', '', 'GPE_1'],
    ['', '2', 'GPE#2'],
    ['', '', 'GPE '],
  ])('names partition %j and replica %j in the notation of the server', (partition, replica, name) => {
    expect(lines(report({ partition, replica }))[0]).toContain(`  ${name}`);
  });

  it.each([
    [0.25, '250ms'],
    [1.6, '1s'],
    [59, '59s'],
    [3600, '1h'],
    [266_705, '3d 2h'],
    [0, '0s'],
  ])('writes %d s as %s', (lastedSeconds, text) => {
    expect(lines(report({ lastedSeconds }))[0]).toMatch(new RegExp(`Down  ${text} +m1$`));
  });

  it('marks new and forgotten replicas', () => {
    expect(lines(report({ from: '', lastedSeconds: null }))[0]).toContain('(new)  Down');
    expect(lines(report({ from: 'absent', to: '' }))[0]).toContain('absent  (forgotten)');
  });

  it('groups equal transitions at the same time in one row', () => {
    const many = ['1', '2', '3', '4', '5'].map((replica) => report({ replica, to: 'unobserved' }));
    expect(lines(...many)).toEqual([
      '2026-09-22 04:53:20Z  prod     GPE_1#1, GPE_1#2, GPE_1#3 and 2 more  Online  unobserved  2h 2m',
    ]);
    expect(lines(...many.slice(0, 4))[0]).toContain('GPE_1#1, GPE_1#2, GPE_1#3, GPE_1#4');
  });

  it('does not group transitions to different states or after different times', () => {
    const some = [report({ replica: '1' }), report({ replica: '2', to: 'Warmup' }), report({ replica: '3' })];
    expect(lines(...some)).toHaveLength(2);
    expect(lines(report({ replica: '1', lastedSeconds: 1 }), report({ replica: '2' }))[0]).not.toContain('2h 2m');
  });

  it('contains no control characters', () => {
    expect(transitionTable([report({ to: '\u001B[2Jgone' })])).not.toContain('\u001B');
  });
});
