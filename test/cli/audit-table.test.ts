import { describe, expect, it } from 'vitest';
import { auditTable } from '../../src/cli/audit-table.ts';
import { auditEntry } from './audit-reports.ts';

const nobody = { node: '', id: '', graph: '', query: '', policy: '', ageSeconds: null, outcome: '' } as const;
const pause = auditEntry({ ...nobody, kind: 'act', what: 'pause', by: 'alice', reason: 'migration', cluster: '' });

function cells(...entries: Parameters<typeof auditTable>[0]): readonly string[] {
  return auditTable(entries).trimEnd().split('\n').slice(1);
}

describe('the audit in a terminal', () => {
  it('has a header and a line for each entry', () => {
    const manual = auditEntry({
      policy: '',
      by: 'bob',
      reason: 'blocks the load',
      outcome: 'still_running',
      cluster: 'test',
    });
    expect(auditTable([auditEntry(), manual, pause])).toBe(
      [
        'TIME                  WHERE    WHAT                WHY                      AGE   OUTCOME        DOUBT',
        '2026-09-22 04:53:20Z  prod/m1  ring_scan on fraud  runaway                  2h2m  confirmed',
        '2026-09-22 04:53:20Z  test/m1  ring_scan on fraud  by bob: blocks the load  2h2m  still_running',
        '2026-09-22 04:53:20Z           pause               by alice: migration',
        '',
      ].join('\n'),
    );
  });

  it('says so where there is nothing', () => {
    expect(auditTable([])).toBe('nothing was aborted or done\n');
  });

  it.each([
    [{ outcome: '', endedAt: null } as const, /2h2m {2}\(open\)$/],
    [{ outcome: 'withdrawn', doubt: 'paused' } as const, /withdrawn {2}paused$/],
    [{ damaged: true, ageSeconds: null } as const, /confirmed {2}this row is damaged$/],
  ])('tells of %j', (more, line) => {
    expect(cells(auditEntry(more))[0]).toMatch(line);
  });

  it('tells what was done to what, and where', () => {
    const reset = { ...pause, what: 'reset_breaker', subject: 'no_relief runaway', cluster: 'prod', reason: '' };
    expect(cells(reset)[0]).toMatch(/Z {2}prod {3}reset_breaker no_relief runaway {2}by alice$/);
  });

  it('shows a terminal nothing but text', () => {
    const [line] = cells({ ...pause, reason: '\u001B[2Jgone\nand more' });
    expect(line).toMatch(/by alice: {2}\[2Jgone and more$/);
  });
});
