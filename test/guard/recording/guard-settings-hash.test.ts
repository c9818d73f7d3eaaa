import { describe, expect, it } from 'vitest';
import { guardSettingsHash } from '../../../src/guard/recording/guard-settings-hash.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { settingsOf } from '../decision/guard-simulation.ts';
import { policyOf } from '../parsed-policy.ts';

describe('the hash of a guard section', () => {
  it('differs for different sections', () => {
    const hash = guardSettingsHash(settingsOf([policyOf()]), digest);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(guardSettingsHash(settingsOf([policyOf()]), digest)).toBe(hash);
    expect(guardSettingsHash(settingsOf([policyOf({ grace: '1s' })]), digest)).not.toBe(hash);
    expect(guardSettingsHash(settingsOf([policyOf()], { mode: 'observe' }), digest)).not.toBe(hash);
  });
});
