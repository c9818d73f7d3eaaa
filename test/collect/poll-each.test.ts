import { describe, expect, it } from 'vitest';
import { pollEach } from '../../src/collect/poll-each.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';

describe('pollEach', () => {
  it('returns the facts in the order of the keys', async () => {
    expect(await pollEach([1, 2, 3], async (key) => ok(key * 10))).toEqual(ok([10, 20, 30]));
  });

  it('returns an empty list without keys', async () => {
    expect(await pollEach([], async () => failed('status'))).toEqual(ok([]));
  });

  it('has one call in flight at a time', async () => {
    let underWay = 0;
    let most = 0;
    await pollEach(['a', 'b', 'c'], async (key) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return ok(key);
    });
    expect(most).toBe(1);
  });

  it('continues after a failure, keeps the answers, and reports the first failure', async () => {
    const answers = { a: failed('auth'), b: ok('fine'), c: failed('timeout') };
    const result = await pollEach(['a', 'b', 'c'] as const, async (key) => answers[key]);
    expect(result).toMatchObject({ ok: false, error: { reason: 'auth' }, partial: ['fine'] });
  });

  it('has no partial result if every call failed', async () => {
    const result = await pollEach(['a', 'b'], async () => failed('tls'));
    expect(result).toMatchObject({ ok: false, error: { reason: 'tls' } });
    expect(result).not.toHaveProperty('partial');
  });
});
