import { describe, expect, it } from 'vitest';
import { policyHash } from '../../../src/guard/keeping/policy-hash.ts';
import { digest } from '../../../src/runtime/digest.ts';
import { policyOf } from '../policy-of.ts';

const policy = policyOf({ name: 'runaway', when: { age: '> 10m' }, notify: ['a', 'b'] });

describe('the hash of a policy', () => {
  it('is short, and the same for the same', () => {
    expect(policyHash(policy, digest)).toMatch(/^[\da-f]{12}$/);
    expect(policyHash(structuredClone(policy), digest)).toBe(policyHash(policy, digest));
  });

  it('does not depend on the order of keys, but on that of lists', () => {
    const { name, when, ...rest } = policy;
    expect(policyHash({ ...rest, when, name }, digest)).toBe(policyHash(policy, digest));
    expect(policyHash({ ...policy, notify: ['b', 'a'] }, digest)).not.toBe(policyHash(policy, digest));
  });

  it.each([{ mode: 'enforce' as const }, { grace: 1 }, { name: 'other' }])('is another with %j', (changes) => {
    expect(policyHash({ ...policy, ...changes }, digest)).not.toBe(policyHash(policy, digest));
  });
});
