import { describe, expect, it } from 'vitest';
import { environmentReference, secretFile, secretSource, secretText } from '../../src/graphdb/settings-fields.ts';
import { Secret } from '../../src/kernel/secret.ts';

describe('a secret in a section', () => {
  it('is hidden as soon as it is read', () => {
    const secret = secretText.parse('canary');
    expect(secret.reveal()).toBe('canary');
    expect(JSON.stringify({ secret })).not.toContain('canary');
  });

  it.each(['', 'one\ntwo', 'one\r', 'one\u0000'])('is refused as %j, and not repeated', (text) => {
    const read = secretText.safeParse(text);
    expect(read.success).toBe(false);
    if (text !== '') expect(JSON.stringify(read.error?.issues)).not.toContain('one');
  });

  it('may be in a file, which has a name', () => {
    expect(secretFile.parse('k')).toBe('k');
    expect(secretFile.safeParse('').success).toBe(false);
  });

  it('has exactly one source', () => {
    const value = new Secret('x');
    expect(secretSource(value, undefined)).toEqual({ value });
    expect(secretSource(undefined, 'k')).toEqual({ file: 'k' });
    expect(secretSource(value, 'k')).toBeUndefined();
    expect(secretSource(undefined, undefined)).toBeUndefined();
  });

  it('is shown in examples as a variable', () => {
    expect(environmentReference('TOKEN')).toBe(['$', '{TOKEN}'].join(''));
  });
});
