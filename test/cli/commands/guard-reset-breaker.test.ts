import { describe, expect, it } from 'vitest';
import { runCommand, startGuardApi } from '../guard-api.ts';

describe('guard reset-breaker', () => {
  it.each([[['same_query fraud ring_scan']], [['same_query', 'fraud', 'ring_scan']]])('closes %j', async (key) => {
    const { control, url } = await startGuardApi();
    expect(await runCommand(url, 'guard', 'reset-breaker', 'prod', ...key)).toEqual({
      code: 0,
      out: 'breaker same_query fraud ring_scan closed in prod\n',
      error: '',
    });
    expect(control.resets).toEqual(['prod same_query fraud ring_scan local']);
  });

  it('fails for a breaker that is not open', async () => {
    const { url } = await startGuardApi();
    const { code, error } = await runCommand(url, 'guard', 'reset-breaker', 'prod', 'no_relief x');
    expect([code, error]).toEqual([1, expect.stringContaining('no_relief x')]);
  });

  it.each([
    [[], "missing required argument 'CLUSTER'"],
    [['prod'], "missing required argument 'KEY'"],
  ])('rejects %j as a usage error: %s', async (args, message) => {
    const { url } = await startGuardApi();
    expect(await runCommand(url, 'guard', 'reset-breaker', ...args)).toMatchObject({
      code: 2,
      error: expect.stringContaining(message),
    });
  });
});
