import { compare as compareForReal, hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import type { Clock } from '../../src/kernel/time.ts';
import { createBasicAuthenticator } from '../../src/runtime/basic-auth.ts';
import type { ComparePassword } from '../../src/runtime/password-worker.ts';

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Compares as if hashes were passwords after `$2b$04$`, when the test says so. */
function heldComparison() {
  const comparisons: { readonly password: string; readonly hash: string; readonly answer: () => void }[] = [];
  const compare: ComparePassword = (password, hash) =>
    new Promise<boolean>((resolve) => {
      comparisons.push({ password, hash, answer: () => resolve(hash === `$2b$04$${password}`) });
    });
  return { comparisons, compare };
}

/** Answers at once. */
function countedComparison() {
  const hashes: string[] = [];
  const compare: ComparePassword = async (password, hash) => {
    hashes.push(hash);
    return hash === `$2b$04$${password}`;
  };
  return { hashes, compare };
}

/** Clock whose sleeps return immediately. */
const restless: Clock = {
  now: () => ({ wall: 0, mono: 0 }),
  sleep: async () => {},
  yieldToEventLoop: async () => {},
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const users = { alice: new Secret('$2b$04$right'), bob: new Secret('$2b$12$other') };

describe('basic authentication with real hashes', () => {
  const real = { alice: new Secret(hashSync('p:ässword', 4)), bob: new Secret(hashSync('', 4)) };

  it.each([
    ['the right password', basic('alice', 'p:ässword'), { user: 'alice' }],
    ['another scheme name', basic('alice', 'p:ässword').replace('Basic', 'bASIC'), { user: 'alice' }],
    ['an empty password that is right', basic('bob', ''), { user: 'bob' }],
    ['a wrong password', basic('alice', 'wrong'), 'denied'],
    ["another user's password", basic('bob', 'p:ässword'), 'denied'],
    ['an unknown user', basic('carol', 'p:ässword'), 'denied'],
    ['a user from the prototype', basic('constructor', 'x'), 'denied'],
    ['no header', undefined, 'denied'],
    ['an empty header', '', 'denied'],
    ['a bearer token', 'Bearer abc', 'denied'],
    ['no colon', `Basic ${Buffer.from('alice').toString('base64')}`, 'denied'],
    ['something that is not base64', 'Basic !!!', 'denied'],
  ])('checks a header with %s', async (_case, header, expected) => {
    expect(await createBasicAuthenticator(compareForReal).check(header, real, '10.0.0.1')).toEqual(expected);
  });

  it('hashes at the same cost for an unknown user as for an existing one', async () => {
    const { hashes, compare } = countedComparison();
    expect(
      await createBasicAuthenticator(compare, restless).check(basic('carol', 'x'), { alice: real.alice }, '10.0.0.1'),
    ).toBe('denied');
    expect(hashes).toHaveLength(1);
    expect(hashes[0]).toMatch(/^\$2[aby]\$04\$[./A-Za-z0-9]{53}$/);
    expect(hashes[0]).not.toBe(real.alice.reveal());
  });

  it('rejects an unknown user even if the comparison succeeds', async () => {
    const lenient = createBasicAuthenticator(async () => true);
    expect(await lenient.check(basic('carol', 'x'), real, '10.0.0.1')).toBe('denied');
  });
});

describe('basic authentication without users', () => {
  it('is off, with any header', async () => {
    const { hashes, compare } = countedComparison();
    const basicUsers = createBasicAuthenticator(compare, restless);
    expect(await basicUsers.check(undefined, {}, '10.0.0.1')).toBe('off');
    expect(await basicUsers.check(basic('alice', 'x'), {}, '10.0.0.1')).toBe('off');
    expect(hashes).toEqual([]);
  });
});

describe('basic authentication under load', () => {
  it('compares a correct password once, and a wrong one every time', async () => {
    const { hashes, compare } = countedComparison();
    const basicUsers = createBasicAuthenticator(compare, restless);
    for (let round = 0; round < 5; round += 1) {
      expect(await basicUsers.check(basic('alice', 'right'), users, '10.0.0.1')).toEqual({ user: 'alice' });
    }
    expect(hashes).toHaveLength(1);
    for (let round = 0; round < 3; round += 1) {
      expect(await basicUsers.check(basic('alice', 'wrong'), users, '10.0.0.1')).toBe('denied');
    }
    expect(hashes).toHaveLength(4);
  });

  it('drops a cached password when the hash changes', async () => {
    const { hashes, compare } = countedComparison();
    const basicUsers = createBasicAuthenticator(compare, restless);
    await basicUsers.check(basic('alice', 'right'), users, '10.0.0.1');
    expect(await basicUsers.check(basic('alice', 'right'), { alice: new Secret('$2b$04$new') }, '10.0.0.1')).toBe(
      'denied',
    );
    expect(hashes).toEqual(['$2b$04$right', '$2b$04$new']);
  });

  it('accepts an existing user during a flood of the same client', async () => {
    const { comparisons, compare } = heldComparison();
    const basicUsers = createBasicAuthenticator(compare, restless);
    const first = basicUsers.check(basic('alice', 'right'), users, '10.0.0.1');
    await turn();
    comparisons[0]?.answer();
    expect(await first).toEqual({ user: 'alice' });
    const flood = Array.from({ length: 100 }, (_, n) => basicUsers.check(basic('bob', `wrong${n}`), users, '10.0.0.1'));
    expect(await basicUsers.check(basic('alice', 'right'), users, '10.0.0.1')).toEqual({ user: 'alice' });
    for (let at = 1; at <= 5; at += 1) {
      await turn();
      comparisons[at]?.answer();
    }
    await Promise.all(flood);
  });

  it('continues after a failed comparison', async () => {
    let calls = 0;
    const basicUsers = createBasicAuthenticator(async () => {
      calls += 1;
      if (calls === 1) throw new Error('out of memory');
      return true;
    });
    await expect(basicUsers.check(basic('alice', 'right'), users, '10.0.0.1')).rejects.toThrow('out of memory');
    expect(await basicUsers.check(basic('alice', 'right'), users, '10.0.0.1')).toEqual({ user: 'alice' });
  });
});
