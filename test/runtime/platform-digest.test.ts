import { describe, expect, it } from 'vitest';
import { digest } from '../../src/runtime/system-ports.ts';

describe('the checksums of the platform', () => {
  it('equal those of other implementations', () => {
    expect(digest.sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(digest.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('hash text as UTF-8', () => {
    expect(digest.sha256('ü')).toBe(digest.sha256('\u00fc'));
    expect(digest.sha256('ü')).not.toBe(digest.sha256('u\u0308'));
  });

  it('sign with a key (RFC 4231, case 2)', () => {
    const known = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(digest.hmacSha256('Jefe', 'what do ya want for nothing?')).toBe(known);
    expect(digest.hmacSha256('jefe', 'what do ya want for nothing?')).not.toBe(known);
  });
});
