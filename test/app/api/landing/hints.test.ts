import { describe, expect, it } from 'vitest';
import { hintFor } from '../../../../src/app/api/landing/hints.ts';
import { failureReasons } from '../../../../src/kernel/failure.ts';

describe('a hint', () => {
  it.each(failureReasons)('says what to do about %s', (reason) => {
    expect(hintFor(reason, 'queries', '')).toMatch(/^[A-Zl].{20,}[.?]$/);
  });

  it('names the privilege that is missing, where one is needed', () => {
    expect(hintFor('auth', 'queries', 'READ_DATA, global')).toContain('the privilege READ_DATA, global: grant it');
    expect(hintFor('auth', 'health', '')).not.toContain('privilege');
  });

  it('names the keys of the collector', () => {
    expect(hintFor('timeout', 'queries', '')).toContain('collectors.queries.timeout');
    expect(hintFor('unsupported', 'queries', '')).toContain('collectors.queries.enabled');
  });
});
