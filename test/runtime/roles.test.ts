import { describe, expect, it } from 'vitest';
import { roles } from '../../src/runtime/roles.ts';

describe('the roles of threads', () => {
  it('compare passwords', async () => {
    const work = await roles.passwords?.();
    expect(await work?.(['secret', 'no hash'])).toBe(false);
  });

  it('keep the state, once for each thread', async () => {
    const work = await roles.state?.();
    await expect(work?.({ kind: 'close' })).rejects.toThrow('the store is not open');
    expect(await roles.state?.()).not.toBe(work);
  });
});
