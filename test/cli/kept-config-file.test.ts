import { describe, expect, it } from 'vitest';
import { createKeepConfig, readStartConfig } from '../../src/cli/kept-config-file.ts';
import { readConfigFile } from '../../src/cli/read-config.ts';
import { environmentReference } from '../../src/graphdb/settings-fields.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { testPorts } from '../support/cli-ports.ts';
import { recordingLogger } from '../support/logger.ts';

const file = 'a.yml';
const copy = 'state/accepted-config.json';
const read_auth = { bearer_token: 'hunter' };

function text(more: Readonly<Record<string, unknown>> = {}): string {
  const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }], read_auth }];
  return JSON.stringify({ state_dir: 'state', clusters, ...more });
}

/** Ports of a machine on which a configuration was accepted and kept. */
async function accepted(accepting = text(), environment = {}) {
  const ports = testPorts({ environment });
  ports.disk.set(file, accepting);
  const log = recordingLogger();
  const { loaded } = await readConfigFile(file, ports);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const replaceFile = async (path: string, content: string) => {
    ports.disk.set(path, content);
    return ok(undefined);
  };
  await createKeepConfig({ folder: 'state', file, environment, replaceFile, log })(accepting, loaded.value);
  return { ports, log };
}

async function start(ports: ReturnType<typeof testPorts>, name = file, isRequired = false) {
  return readStartConfig(name, await readConfigFile(name, ports), isRequired ? undefined : ports);
}

describe('configuration at the start', () => {
  it('is that of the file if the file is accepted', async () => {
    const { ports, log } = await accepted();
    expect(await start(ports)).toMatchObject({ ok: true, value: { text: text(), omitted: [] } });
    expect(log.lines).toEqual([]);
    expect(ports.disk.get(copy)).not.toContain('hunter');
  });

  it.each([
    ['an unknown key', text({ lisen: 'x' })],
    ['a syntax error', 'state_dir: state\nclusters: [\n'],
  ])('is the last accepted one if the file has %s', async (_, rejected) => {
    const { ports } = await accepted();
    ports.disk.set(file, rejected);
    expect(await start(ports)).toMatchObject({
      ok: true,
      value: {
        config: { clusters: [{ name: 'prod' }] },
        text: rejected,
        problems: [{ file }],
        omitted: ['clusters[0].read_auth.bearer_token'],
      },
    });
  });

  it('is the last accepted one in the default state directory if the file is missing', async () => {
    const { ports } = await accepted();
    ports.disk.set('./state/accepted-config.json', ports.disk.get(copy) ?? '');
    ports.disk.delete(file);
    expect(await start(ports)).toMatchObject({ ok: true, value: { problems: [{ message: expect.any(String) }] } });
  });

  it.each([
    ['another state directory is named', text({ lisen: 'x', state_dir: 'elsewhere' }), file],
    ['the copy belongs to another configuration file', text({ lisen: 'x' }), 'b.yml'],
  ])('is missing if %s', async (_, rejected, name) => {
    const { ports } = await accepted();
    ports.disk.set(name, rejected);
    expect(await start(ports, name)).toEqual(err(expect.stringContaining('lisen')));
  });

  it('states the reason if the last accepted one cannot be used', async () => {
    const { ports } = await accepted(text({ log: { level: environmentReference('LEVEL') } }), { LEVEL: 'info' });
    ports.disk.set(file, text({ lisen: 'x' }));
    const reasonOf = async (...given: Parameters<typeof start>) => {
      const result = await start(...given);
      return result.ok ? '' : result.error.trimEnd().split('\n').at(-1);
    };
    const reason = `${copy}:1:1: the last accepted configuration cannot be used either: `;
    ports.disk.set('b.yml', text({ lisen: 'x' }));
    expect(await reasonOf(ports, 'b.yml')).toBe(
      `${reason}the copy belongs to another configuration file; start with the same path of the file as before`,
    );
    expect(await reasonOf({ ...ports, environment: {} })).toContain(
      `${reason}refers to the environment variable LEVEL`,
    );
    ports.disk.set(copy, '{');
    expect(await reasonOf(ports)).toBe(`${reason}the copy is damaged`);
    ports.disk.delete(copy);
    expect(await reasonOf(ports)).toMatch(/lisen/);
  });

  it('is missing if the file must be accepted, if the copy is damaged, and if a variable is not set', async () => {
    const { ports } = await accepted(text({ log: { level: environmentReference('LEVEL') } }), { LEVEL: 'info' });
    ports.disk.set(file, text({ lisen: 'x' }));
    expect(await start(ports)).toMatchObject({ ok: true });
    expect(await start(ports, file, true)).toMatchObject({ ok: false });
    expect(await start({ ...ports, environment: {} })).toMatchObject({ ok: false });
    ports.disk.set(copy, (ports.disk.get(copy) ?? '').slice(0, -20));
    expect(await start(ports)).toMatchObject({ ok: false });
  });
});

const failToWrite = async () => err('the disk is full');

it('copy of a configuration › logs the reason if it is not stored', async () => {
  const { ports } = await accepted();
  const { loaded } = await readConfigFile(file, ports);
  if (!loaded.ok) throw new Error('rejected');
  const log = recordingLogger();
  const keep = createKeepConfig({ folder: 'state', file, environment: {}, replaceFile: failToWrite, log });
  await keep(text(), loaded.value);
  await keep('clusters: []', loaded.value);
  expect(log.lines).toMatchObject([
    { message: 'copy of the accepted config not stored', fields: { error: 'the disk is full' } },
    { message: 'copy of the accepted config not stored', fields: { error: [{ path: 'clusters' }] } },
  ]);
});
