import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../src/app/api/advice.ts';
import { failureReasons } from '../../../src/kernel/failure.ts';

const queries = { name: 'queries', privilege: '' };
const custom = { name: 'custom_custom_rings', privilege: 'READ_DATA', isCustom: true } as const;

describe('advice', () => {
  it.each(failureReasons)('names a remedy for %s', (reason) => {
    for (const one of [queries, custom]) expect(adviceOn(reason, one)).toMatch(/^[A-Z].{20,}[.]$/);
  });

  it.each(failureReasons)('names no key of collectors for a custom query that fails with %s', (reason) => {
    expect(adviceOn(reason, custom)).not.toContain('collectors.');
  });

  it('names the custom query as in the configuration', () => {
    expect(adviceOn('unsupported', custom)).toBe(
      'Install the query, or correct graph or query of the custom query custom_rings.',
    );
  });

  it('is specific to a probe', () => {
    const probe = { name: 'p', kind: 'vertex', slo: { objective: 0.9, window: 1 }, graph: 'g', limit: 1 } as const;
    const collector = { name: 'probe_p', privilege: '', isCustom: true } as const;
    const own = { ...collector, probe: { ...probe, adviceOn: (reason: string) => `Look at ${reason}.` } };
    expect(adviceOn('timeout', own)).toBe('Look at timeout.');
  });

  it('names the privilege that is missing, where one is needed', () => {
    expect(adviceOn('auth', { name: 'queries', privilege: 'READ_DATA, global' })).toContain(
      'the privilege READ_DATA, global: grant it',
    );
    expect(adviceOn('auth', { name: 'health', privilege: '' })).not.toContain('privilege');
  });

  it('names the keys of the collector', () => {
    expect(adviceOn('timeout', queries)).toContain('collectors.queries.timeout');
    expect(adviceOn('unsupported', queries)).toContain('collectors.queries.enabled');
  });
});
