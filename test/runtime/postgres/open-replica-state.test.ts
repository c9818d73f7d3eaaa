import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { err, ok } from '../../../src/kernel/result.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { openSharedState, postgresSettings } from '../../../src/runtime/postgres/open-replica-state.ts';
import { lockFolder, makeFolder } from '../../../src/runtime/store/state-directory.ts';
import { recordingLogger } from '../../support/logger.ts';

const settings = { hosts: [{ host: '127.0.0.1', port: 1 }], user: 'u', database: 'd' };
const texts: Readonly<Record<string, string>> = { password: 'secret\n', ca: 'CA', cert: 'CERT', key: 'KEY' };

async function readText(path: string) {
  const text = texts[path];
  return text === undefined ? err(`cannot read '${path}': no such file`) : ok(text);
}

describe('the credentials of a shared database', () => {
  it('are read from files for each connection', async () => {
    const tls = { caFile: 'ca', certFile: 'cert', keyFile: 'key', serverName: 'db', insecureSkipVerify: false };
    const { credentials } = postgresSettings({ ...settings, passwordFile: 'password', tls }, { readText });
    expect(await credentials()).toMatchObject({
      password: 'secret',
      tls: { ca: 'CA', cert: 'CERT', key: 'KEY', servername: 'db', rejectUnauthorized: true },
    });
    expect(await postgresSettings(settings, { readText }).credentials()).toEqual({ password: undefined });
  });

  it('are missing with a sentence if a file cannot be read', async () => {
    const { credentials } = postgresSettings({ ...settings, passwordFile: 'absent' }, { readText });
    await expect(credentials()).rejects.toThrow("cannot read 'absent': no such file");
  });
});

it('replica state › is refused in a state directory that another process uses', async () => {
  const top = await mkdtemp(join(tmpdir(), 'graphwarden-replica-'));
  onTestFinished(() => rm(top, { recursive: true }));
  const folder = join(top, 'state');
  makeFolder(folder);
  const lock = lockFolder(folder);
  onTestFinished(lock.release);
  const retention = { transitions: 1, audit: 1, notifications: 1, size: 1 };
  const files = { readText, stamp: async () => undefined, presence: async () => 'absent' as const };
  const log = recordingLogger();
  const opened = await openSharedState({ settings, folder, retention, clock: systemClock, log, files, program: '1' });
  expect(opened).toEqual({
    ok: false,
    error: {
      kind: 'locked',
      message: `another daemon uses the state directory '${folder}': each replica needs its own`,
    },
  });
});
