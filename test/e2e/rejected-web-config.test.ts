import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { startProgram } from '../support/program.ts';

const hash = hashSync('right', 4);
const alice = `basic_auth_users:\n  alice: "${hash}"\n`;
const bob = `  bob: "${hash}"\n`;

it('rejected web config file › is reported like a rejected configuration file until it is valid again', async () => {
  const folder = await temporaryFolder();
  const socketPath = join(folder, 'state', 'control.sock');
  const write = async (text: string): Promise<void> => {
    await writeFile(join(folder, 'new.yml'), text);
    await rename(join(folder, 'new.yml'), join(folder, 'web.yml'));
  };
  await write(alice + bob);
  const settings = {
    listen: '127.0.0.1:0',
    state_dir: join(folder, 'state'),
    web_config_file: 'web.yml',
    clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }],
  };
  await writeFile(join(folder, 'graphwarden.yml'), JSON.stringify(settings));
  const daemon = startProgram(['run', '--config', 'graphwarden.yml'], { cwd: folder });
  onTestFinished(async () => void (await daemon.stop()));
  const url = await eventually(
    'the daemon logs its address',
    async () => /"url":"(http:[^"]+?)\/?"/.exec(daemon.stderr())?.[1],
  );
  const page = async (path: string): Promise<string> => (await send(`http://localhost${path}`, { socketPath })).text;
  const isInForce = (value: 0 | 1): Promise<unknown> =>
    eventually(`the reload metric is ${value}`, async () =>
      (await page('/metrics')).includes(`\ngraphwarden_config_last_reload_successful ${value}\n`),
    );
  const asBob = async (): Promise<number> => {
    const authorization = `Basic ${Buffer.from('bob:right').toString('base64')}`;
    return (await send(`${url}/api/v1/guard`, { headers: { authorization } })).status;
  };

  await isInForce(1);
  await write(`${alice}typo: yes\n`);
  await isInForce(0);
  expect(await page('/api/v1/guard')).toContain('web.yml:3:1: typo: ');
  expect(await asBob()).toBe(200);
  const [reload, status] = ['reload', 'status'].map((command) =>
    startProgram([command, '--state-dir', 'state'], { cwd: folder }),
  );
  expect([await reload?.ended, reload?.stderr()]).toEqual([1, expect.stringContaining('web.yml:3:1: typo: ')]);
  await status?.ended;
  expect(status?.stdout()).toContain('web.yml:3:1: typo: ');

  await write(alice);
  await isInForce(1);
  expect(await asBob()).toBe(401);
  await rm(join(folder, 'web.yml'));
  await isInForce(0);
  await write(alice);
  const again = await send('http://localhost/-/reload', { method: 'POST', socketPath });
  expect([again.status, await page('/api/v1/guard')]).toEqual([200, expect.stringContaining('"rejectedConfig":null')]);
}, 120_000);
