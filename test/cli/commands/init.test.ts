import { expect, it } from 'vitest';
import { init } from '../../../src/cli/commands/init.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { testPorts } from '../../support/cli-ports.ts';

it('init › init writes a valid configuration, and prints the next steps', async () => {
  const ports = testPorts();
  expect(await init.run({ flags: {}, arguments: [] }, ports, [])).toBe(0);
  const text = ports.disk.get('graphwarden.yml') ?? '';
  expect(loadConfig(text, 'graphwarden.yml', {})).toMatchObject({ ok: true });
  for (const next of ['check-config', 'doctor --config', 'run --config']) {
    expect(ports.stdout.text()).toContain(`graphwarden ${next} graphwarden.yml`);
  }
});

it('init › writes to the given path', async () => {
  const ports = testPorts();
  expect(await init.run({ flags: {}, arguments: ['other.yml'] }, ports, [])).toBe(0);
  expect([...ports.disk.keys()]).toEqual(['other.yml']);
});

it('init › does not overwrite an existing file', async () => {
  const ports = testPorts();
  ports.disk.set('graphwarden.yml', 'precious');
  expect(await init.run({ flags: {}, arguments: [] }, ports, [])).toBe(1);
  expect(ports.disk.get('graphwarden.yml')).toBe('precious');
  expect(ports.stderr.text()).toContain("cannot create 'graphwarden.yml'");
  expect(ports.stdout.text()).toBe('');
});

it('init › gives the file to the named owner', async () => {
  const ports = testPorts();
  const owners: unknown[] = [];
  const createFile: typeof ports.createFile = async (_path, _text, owner) => {
    owners.push(owner);
    return { ok: true, value: undefined };
  };
  expect(await init.run({ flags: { owner: 'root:graphwarden' }, arguments: [] }, { ...ports, createFile }, [])).toBe(0);
  expect(owners).toEqual(['root:graphwarden']);
});

it('init › listens on all addresses for a container', async () => {
  const ports = testPorts();
  expect(await init.run({ flags: { container: '' }, arguments: [] }, ports, [])).toBe(0);
  const text = ports.disk.get('graphwarden.yml') ?? '';
  expect(loadConfig(text, 'graphwarden.yml', {})).toMatchObject({
    ok: true,
    value: { listen: { host: '0.0.0.0', port: 9916 } },
  });
});
