import { expect, it } from 'vitest';
import { auditEntrySchema } from '../../src/api/guard-audit.ts';
import { describeObject, exampleOf } from './object-cases.ts';

describeObject('audit entry', auditEntrySchema, [
  { at: 'x' },
  { kind: 'dance' },
  { pressures: { a: 'b' } },
  { notify: [1, 'x'] },
  { outcome: 'exploded' },
  { ageSeconds: '7' },
  { endedAt: 'never' },
  { graph: null },
]);

it('guard audit schema › accepts an operator action, and a damaged entry', () => {
  const change = { kind: 'operator_action', outcome: '', ageSeconds: null, matchedAt: null, damaged: true };
  expect(auditEntrySchema.parse({ ...exampleOf(auditEntrySchema), ...change })).toMatchObject(change);
});
