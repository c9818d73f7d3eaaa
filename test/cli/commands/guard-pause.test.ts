import { describe, expect, it } from 'vitest';
import { runCommand, startGuardApi } from '../guard-api.ts';

describe('guard pause', () => {
  it('pauses the guard', async () => {
    const { control, url } = await startGuardApi();
    expect(await runCommand(url, 'guard', 'pause')).toEqual({ code: 0, out: 'guard paused\n', error: '' });
    expect(control.paused().reasons).toEqual(['operator']);
  });

  it('fails if the pause cannot be stored', async () => {
    const { control, url } = await startGuardApi();
    control.failsToStore = true;
    const { code, error } = await runCommand(url, 'guard', 'pause');
    expect([code, error]).toEqual([1, expect.stringContaining('resumes at the next restart')]);
  });
});
