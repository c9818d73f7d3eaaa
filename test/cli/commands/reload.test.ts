import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../../src/app/assemble.ts';
import type { AppPorts } from '../../../src/app/ports/app-ports.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { clusterOf, configOf, testbed } from '../../app/fakes.ts';
import { forOperator } from '../../support/open-access.ts';
import { serve } from '../../support/served-listener.ts';
import { runCommand } from '../guard-api.ts';

/** Address of a daemon with this outcome of a reload. */
async function daemon(outcome: Awaited<ReturnType<AppPorts['reload']>>): Promise<string> {
  const { ports, parts } = testbed({ reload: async () => outcome });
  return (await serve(forOperator(assembleApp(configOf([clusterOf('prod', ['m1'])]), ports, parts).handler))).url;
}

describe('reload', () => {
  it('reports that the configuration is reloaded', async () => {
    const url = await daemon(ok([]));
    expect(await runCommand(url, 'reload')).toEqual({ code: 0, out: 'configuration reloaded\n', error: '' });
  });

  it('names the settings that wait for a restart', async () => {
    const { out } = await runCommand(await daemon(ok(['listen', 'state_dir'])), 'reload');
    expect(out).toBe('configuration reloaded\nrestart the daemon to apply the changes of listen, state_dir\n');
  });

  it('fails with each problem and its position if the configuration is rejected', async () => {
    const problem = { file: 'graphwarden.yml', line: 3, column: 5, path: 'listen', message: 'is not an address' };
    const url = await daemon(
      err([
        { ...problem, hint: 'write HOST:PORT' },
        { ...problem, line: 9, path: '' },
      ]),
    );
    const { code, out, error } = await runCommand(url, 'reload');
    expect([code, out]).toEqual([1, '']);
    expect(error.split('\n').slice(1)).toEqual([
      'graphwarden.yml:3:5: listen: is not an address (write HOST:PORT)',
      'graphwarden.yml:9:5: is not an address',
      '',
    ]);
  });
});
