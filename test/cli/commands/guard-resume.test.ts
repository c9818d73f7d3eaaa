import { describe, expect, it } from 'vitest';
import { runCommand, startGuardApi } from '../guard-api.ts';

describe('guard resume', () => {
  it('resumes a paused guard', async () => {
    const { control, url } = await startGuardApi();
    await runCommand(url, 'guard', 'pause');
    expect(await runCommand(url, 'guard', 'resume')).toEqual({ code: 0, out: 'guard resumed\n', error: '' });
    expect(control.paused().isPaused).toBe(false);
  });

  it('fails while another pause remains', async () => {
    const { control, url } = await startGuardApi();
    control.reasons.add('file');
    const { code, out, error } = await runCommand(url, 'guard', 'resume');
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('there is a file');
  });
});
