import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { PasswordCache } from '../../src/runtime/basic-auth.ts';

it('password cache matches a password together with its hash', () => {
  const known = new PasswordCache();
  known.add('right', 'hash');
  expect(known.has('right', 'hash')).toBe(true);
  expect(known.has('right', 'other')).toBe(false);
  expect(known.has('other', 'hash')).toBe(false);
  expect(known.has('hash', 'right')).toBe(false);
  expect(known.has('rig', 'hthash')).toBe(false);
});

it('password cache keeps a bounded number of the newest passwords', () => {
  const known = new PasswordCache();
  for (let n = 0; n <= 256; n += 1) known.add(`p${n}`, 'hash');
  expect(known.has('p0', 'hash')).toBe(false);
  expect(known.has('p1', 'hash')).toBe(true);
  expect(known.has('p256', 'hash')).toBe(true);
});

it('password cache contains no readable passwords and hashes', () => {
  const known = new PasswordCache();
  known.add('right', 'hash');
  expect(inspect(known, { showHidden: true, depth: 9 })).not.toMatch(/right|hash/);
});
