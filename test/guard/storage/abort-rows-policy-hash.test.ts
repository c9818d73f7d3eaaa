import { describe, expect, it } from 'vitest';
import { policyHash } from '../../../src/guard/storage/abort-rows.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { policyOf } from '../parsed-policy.ts';

const policy = policyOf({ name: 'runaway', when: { age: '> 10m' }, notify: ['a', 'b'] });

describe('policy hash', () => {
  it('is short, and equal for equal policies', () => {
    expect(policyHash(policy, digest)).toMatch(/^[\da-f]{12}$/);
    expect(policyHash(structuredClone(policy), digest)).toBe(policyHash(policy, digest));
  });

  it('depends on the order of lists, not on the order of keys', () => {
    const { name, when, ...rest } = policy;
    expect(policyHash({ ...rest, when, name }, digest)).toBe(policyHash(policy, digest));
    expect(policyHash({ ...policy, notify: ['b', 'a'] }, digest)).not.toBe(policyHash(policy, digest));
  });

  it.each([{ mode: 'enforce' as const }, { grace: 1 }, { name: 'other' }])('changes with %j', (changes) => {
    expect(policyHash({ ...policy, ...changes }, digest)).not.toBe(policyHash(policy, digest));
  });
});
