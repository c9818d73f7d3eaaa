import { describe, expect, it } from 'vitest';
import { configFile } from '../../support/live-ports.ts';
import { runStateCommand } from './state-directory.ts';

const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }] }];
const database = 'postgres://warden@127.0.0.1:1/state';

describe('state migrate', () => {
  it('requires a known target and a configuration with a database', async () => {
    const path = await configFile({ clusters });
    expect(await runStateCommand('migrate', 'mysql', '--config', path)).toMatchObject({
      code: 2,
      error: expect.stringContaining('TARGET is postgres or directory'),
    });
    expect(await runStateCommand('migrate', 'postgres', '--config', path)).toEqual({
      code: 1,
      out: '',
      error: 'graphwarden: the configuration has no state_url; add the address of the database\n',
    });
  });

  it('prints the reason of a failure', async () => {
    const path = await configFile({ clusters, state_url: database });
    const directory = await runStateCommand('migrate', 'directory', '--config', path);
    expect(directory).toMatchObject({
      code: 1,
      error: expect.stringContaining('127.0.0.1:1 cannot be reached (ECONNREFUSED)'),
    });
    const postgres = await runStateCommand('migrate', 'postgres', '--config', path);
    expect(postgres).toMatchObject({ code: 1, error: expect.stringContaining('start this release once') });
  });
});

describe('state check of a shared database', () => {
  it('states why it cannot be checked', async () => {
    const path = await configFile({ clusters, state_url: database });
    expect(await runStateCommand('check', '--config', path)).toEqual({
      code: 1,
      out: '',
      error: 'graphwarden: PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED)\n',
    });
  });
});
