import { describe, expect, it } from 'vitest';
import { auditTable } from '../../src/cli/audit-table.ts';
import { auditEntry } from './audit-entries.ts';

const none = { node: '', id: '', graph: '', query: '', policy: '', ageSeconds: null, outcome: '' } as const;
const pause = auditEntry({
  ...none,
  kind: 'operator_action',
  action: 'pause',
  by: 'alice',
  reason: 'migration',
  cluster: '',
});

function cells(...entries: Parameters<typeof auditTable>[0]): readonly string[] {
  return auditTable(entries).trimEnd().split('\n').slice(1);
}

describe('audit table', () => {
  it('has a header and a row for each entry', () => {
    const manual = auditEntry({
      policy: '',
      by: 'bob',
      reason: 'blocks the load',
      outcome: 'still_running',
      cluster: 'test',
    });
    expect(auditTable([auditEntry(), manual, pause])).toBe(
      [
        'TIME                  WHERE    WHAT                WHY                      AGE    OUTCOME        SKIP REASON',
        '2026-09-22 04:53:20Z  prod/m1  ring_scan on fraud  runaway                  2h 2m  confirmed',
        '2026-09-22 04:53:20Z  test/m1  ring_scan on fraud  by bob: blocks the load  2h 2m  still_running',
        '2026-09-22 04:53:20Z           pause               by alice: migration',
        '',
      ].join('\n'),
    );
  });

  it('states that it is empty', () => {
    expect(auditTable([])).toBe('no audit entries\n');
  });

  it.each([
    [{ outcome: '', endedAt: null } as const, /2h 2m {2}\(open\)$/],
    [{ outcome: 'withdrawn', skipReason: 'paused' } as const, /withdrawn {2}paused$/],
    [{ damaged: true, ageSeconds: null } as const, /confirmed {2}damaged row$/],
  ])('shows %j', (more, line) => {
    expect(cells(auditEntry(more))[0]).toMatch(line);
  });

  it('shows the action of an operator with its subject', () => {
    const reset = { ...pause, action: 'reset_breaker', subject: 'no_relief runaway', cluster: 'prod', reason: '' };
    expect(cells(reset)[0]).toMatch(/Z {2}prod {3}reset_breaker no_relief runaway {2}by alice$/);
  });

  it('contains no control characters', () => {
    const [line] = cells({ ...pause, reason: '\u001B[2Jgone\nand more' });
    expect(line).toMatch(/by alice: {2}\[2Jgone and more$/);
  });
});
