import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../src/app/api/advice.ts';
import { failureReasons } from '../../../src/kernel/failure.ts';

describe('advice', () => {
  it.each(failureReasons)('says what to do about %s', (reason) => {
    expect(adviceOn(reason, 'queries', '')).toMatch(/^[A-Z].{20,}[.]$/);
  });

  it('names the privilege that is missing, where one is needed', () => {
    expect(adviceOn('auth', 'queries', 'READ_DATA, global')).toContain('the privilege READ_DATA, global: grant it');
    expect(adviceOn('auth', 'health', '')).not.toContain('privilege');
  });

  it('names the keys of the collector', () => {
    expect(adviceOn('timeout', 'queries', '')).toContain('collectors.queries.timeout');
    expect(adviceOn('unsupported', 'queries', '')).toContain('collectors.queries.enabled');
  });
});
