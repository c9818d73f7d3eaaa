import { describe, expect, it } from 'vitest';
import { createRoles } from '../../src/runtime/roles.ts';

const roles = createRoles(async () => [], '1.2.3');

describe('the roles of threads', () => {
  it('compare passwords', async () => {
    const work = await roles.passwords?.();
    expect(await work?.(['secret', 'no hash'])).toBe(false);
  });

  it('read the history', async () => {
    const work = await roles.history?.();
    await expect(work?.('nonsense')).rejects.toThrow('the thread of the history received an unexpected request');
  });

  it('keep the state, once for each thread', async () => {
    const work = await roles.state?.();
    await expect(work?.({ kind: 'close' })).rejects.toThrow('the store is not open');
    expect(await roles.state?.()).not.toBe(work);
  });
});
