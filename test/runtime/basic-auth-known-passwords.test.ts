import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { PasswordCache } from '../../src/runtime/basic-auth.ts';

it('knows a password with its hash, and neither alone', () => {
  const known = new PasswordCache();
  known.add('right', 'hash');
  expect(known.has('right', 'hash')).toBe(true);
  expect(known.has('right', 'other')).toBe(false);
  expect(known.has('other', 'hash')).toBe(false);
  expect(known.has('hash', 'right')).toBe(false);
  expect(known.has('rig', 'hthash')).toBe(false);
});

it('remembers a bounded number, the newest ones', () => {
  const known = new PasswordCache();
  for (let n = 0; n <= 256; n += 1) known.add(`p${n}`, 'hash');
  expect(known.has('p0', 'hash')).toBe(false);
  expect(known.has('p1', 'hash')).toBe(true);
  expect(known.has('p256', 'hash')).toBe(true);
});

it('holds nothing that can be read', () => {
  const known = new PasswordCache();
  known.add('right', 'hash');
  expect(inspect(known, { showHidden: true, depth: 9 })).not.toMatch(/right|hash/);
});
