import { describe, expect, it } from 'vitest';
import { readAuditPage } from '../../src/cli/read-audit.ts';
import { auditEntry } from './audit-reports.ts';

function page(...items: readonly unknown[]): unknown {
  return { items, total: items.length, limit: 100, offset: 0 };
}

describe('a page of the audit', () => {
  it('is read as it was given', () => {
    const items = [
      auditEntry(),
      auditEntry({ kind: 'act', outcome: '', ageSeconds: null, matchedAt: null, damaged: true }),
    ];
    expect(readAuditPage(page(...items))).toEqual({ items, total: 2 });
  });

  it.each([null, 7, {}, { items: [] }, page({}), page(7), page({ ...auditEntry(), at: 'x' })])(
    'is not %j',
    (answer) => {
      expect(readAuditPage(answer)).toBeUndefined();
    },
  );

  it('has nothing where another version says something else', () => {
    const odd = {
      pressures: { a: 'b', c: 1 },
      notify: [1, 'x'],
      outcome: 'exploded',
      ageSeconds: '7',
      endedAt: 'never',
    };
    const read = readAuditPage(page({ ...auditEntry(), ...odd, graph: null }));
    expect(read?.items).toMatchObject([
      { pressures: { c: 1 }, notify: ['1', 'x'], outcome: '', ageSeconds: null, endedAt: null, graph: '' },
    ]);
  });

  it('is of no kind that nobody knows', () => {
    expect(readAuditPage(page({ ...auditEntry(), kind: 'dance' }))).toBeUndefined();
  });
});
