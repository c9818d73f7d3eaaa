import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import { openDaemonApi } from '../../src/cli/daemon-api.ts';
import { findSocket, findStateDir, socketPath } from '../../src/cli/daemon-socket.ts';
import type { RequestHandler } from '../../src/kernel/listener.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { listenOnSocket } from '../../src/runtime/local-socket.ts';
import { testPorts } from '../support/cli-ports.ts';
import { livePorts, temporaryFolder } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';

type Flags = Readonly<Record<string, string>>;

function found(flags: Flags, disk: Flags = {}, environment: Flags = {}) {
  const ports = testPorts({ environment });
  for (const [path, text] of Object.entries(disk)) ports.disk.set(path, text);
  return findSocket({ flags, arguments: [] }, ports);
}

const echoPath: RequestHandler = async ({ path }) => ({ status: 200, body: JSON.stringify(path) });
const missing = (path: string) =>
  err(
    `${path}: no control socket of a daemon; check that the daemon runs, and run this command as the user of the daemon`,
  );

function folderOf(flags: Flags, disk: Flags = {}, environment: Flags = {}) {
  const ports = testPorts({ environment });
  for (const [path, content] of Object.entries(disk)) ports.disk.set(path, content);
  return findStateDir({ flags, arguments: [] }, ports);
}

describe('state directory', () => {
  it.each<readonly [Flags, Flags, Flags, string]>([
    [{}, {}, {}, './state'],
    [{ 'state-dir': '/s' }, {}, { GRAPHWARDEN_CONFIG: 'missing' }, '/s'],
    [{ config: 'c' }, { c: 'state_dir: /s\nlisten: [broken]' }, {}, '/s'],
    [{ config: 'c' }, { c: 'clusters: []' }, {}, './state'],
    [{}, { c: 'state_dir: ${DIR}' }, { GRAPHWARDEN_CONFIG: 'c', DIR: '/v' }, '/v'],
  ])('with the options %j, the files %j and the environment %j is %s', async (flags, disk, environment, path) => {
    expect(await folderOf(flags, disk, environment)).toEqual(ok(path));
  });

  it('is unknown if the configuration cannot be read, and is named once', async () => {
    expect(await folderOf({ config: 'missing' })).toEqual(err("cannot read 'missing': no such file"));
    await expect(folderOf({ config: 'c', 'state-dir': '/s' })).rejects.toThrow('mutually exclusive');
  });
});

describe('socket of the daemon', () => {
  it.each<readonly [Flags, Flags, Flags, string | undefined]>([
    [{}, {}, {}, undefined],
    [{}, { './state/control.sock': '' }, {}, './state/control.sock'],
    [{}, { './state/control.sock': '' }, { GRAPHWARDEN_URL: 'http://a' }, undefined],
    [{}, { './state/control.sock': '' }, { GRAPHWARDEN_USER: 'alice' }, undefined],
    [{ url: 'http://a' }, { './state/control.sock': '' }, {}, undefined],
    [{ user: 'alice' }, { './state/control.sock': '' }, {}, undefined],
    [{ 'state-dir': '/s/' }, { '/s/control.sock': '' }, { GRAPHWARDEN_URL: 'http://a' }, '/s/control.sock'],
    [{ config: 'c' }, { c: 'state_dir: /s\nlisten: [broken]', '/s/control.sock': '' }, {}, '/s/control.sock'],
    [{}, { c: 'state_dir: /s', '/s/control.sock': '' }, { GRAPHWARDEN_CONFIG: 'c' }, '/s/control.sock'],
    [{}, { c: 'state_dir: ${DIR}', '/v/control.sock': '' }, { GRAPHWARDEN_CONFIG: 'c', DIR: '/v' }, '/v/control.sock'],
    [{}, { c: '{', './state/control.sock': '' }, { GRAPHWARDEN_CONFIG: 'c' }, './state/control.sock'],
  ])('with the options %j, the files %j and the environment %j is %s', async (flags, disk, environment, path) => {
    expect(await found(flags, disk, environment)).toEqual(ok(path));
  });

  it('that is named and does not exist is an error', async () => {
    expect(await found({ 'state-dir': '/s' })).toEqual(missing('/s/control.sock'));
    expect(await found({ config: 'c' }, { c: 'state_dir: /t' })).toEqual(missing('/t/control.sock'));
  });

  it('is not that of another daemon if the named configuration cannot be read', async () => {
    const other = { './state/control.sock': '' };
    expect(await found({ config: 'missing' }, other)).toEqual(err("cannot read 'missing': no such file"));
    expect(await found({}, other, { GRAPHWARDEN_CONFIG: 'missing' })).toEqual(ok(undefined));
  });

  it('by the state directory, by the configuration and an address are mutually exclusive', async () => {
    const usage = (flags: Flags) => expect(found(flags)).rejects.toThrow(UsageError);
    await usage({ 'state-dir': '/s', url: 'http://a' });
    await usage({ config: 'c', url: 'http://a' });
    await usage({ config: 'c', 'state-dir': '/s' });
  });

  it('carries the calls of commands', async () => {
    const folder = await temporaryFolder();
    const socket = await listenOnSocket({ path: socketPath(folder), handler: echoPath, log: recordingLogger() });
    const api = await openDaemonApi({ flags: { 'state-dir': folder }, arguments: [] }, livePorts());
    expect(api.ok && (await api.value.call({ method: 'GET', path: '/x' }))).toEqual(ok('/x'));
    if (api.ok) await api.value.close();
    if (socket.ok) await socket.value.close(0);
    expect(socket.ok).toBe(true);
  });
});
