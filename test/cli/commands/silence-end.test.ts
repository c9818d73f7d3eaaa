import { describe, expect, it } from 'vitest';
import { runSilenceCommand, startSilenceApi } from '../silence-api.ts';

const why = ['--author', 'alice', '--reason', 'new disks'];

describe('silence end', () => {
  it('ends a silence', async () => {
    const { url, stored } = await startSilenceApi();
    await runSilenceCommand(url, 'add', 'node=m1', '--for', '2h', ...why);
    const id = stored()[0]?.id ?? '';
    expect(await runSilenceCommand(url, 'end', id)).toEqual({ code: 0, out: `silence ${id} ended\n`, error: '' });
    expect(stored()).toEqual([]);
  });

  it('fails for an unknown id', async () => {
    const { url } = await startSilenceApi();
    const unknown = await runSilenceCommand(url, 'end', '5f0c2d');
    expect(unknown).toMatchObject({ code: 1, error: 'graphwarden: The silence does not exist.\n' });
    const { code, error } = await runSilenceCommand(url, 'end', 'a b/c');
    expect([code, error]).toEqual([1, 'graphwarden: No route matches /api/v1/silences/a b/c.\n']);
  });
});
