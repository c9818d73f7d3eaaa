import { describe, expect, it } from 'vitest';
import { guardHash } from '../../src/cli/guard-hash.ts';
import { digest } from '../../src/runtime/digest.ts';
import { settingsOf } from '../guard/decision/world.ts';
import { policyOf } from '../guard/policy-of.ts';

describe('the hash of a guard section', () => {
  it('tells one from another', () => {
    const hash = guardHash(settingsOf([policyOf()]), digest);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(guardHash(settingsOf([policyOf()]), digest)).toBe(hash);
    expect(guardHash(settingsOf([policyOf({ grace: '1s' })]), digest)).not.toBe(hash);
    expect(guardHash(settingsOf([policyOf()], { mode: 'observe' }), digest)).not.toBe(hash);
  });
});
