import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentSchemaVersion } from '../../../src/runtime/store/migrations.ts';
import { programFiles } from '../../../tools/build/program-files.ts';
import { program } from '../../support/build-program.ts';
import { copyCheckout } from '../../support/checkout.ts';
import { eventually } from '../../support/child.ts';
import { guideBlocks } from '../../support/guide.ts';
import { bootSystemd, type SystemdHost } from '../../support/systemd.ts';
import { findTool, requireTool } from '../../support/tools.ts';

const isPossible =
  process.getuid?.() === 0 && ['unshare', 'nsenter', 'systemctl', 'npm'].every((name) => findTool(name) !== undefined);

const config = '/etc/graphwarden/graphwarden.yml';

describe.skipIf(!isPossible)('the systemd service, installed by the commands of the guide', () => {
  let folder: string;
  let host: SystemdHost;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graphwarden-service-'));
    const checkout = await copyCheckout(join(folder, 'checkout'));
    const env = { PATH: process.env.PATH, HOME: folder, CI: 'true', npm_config_offline: 'true' };
    const run = (file: string, ...args: readonly string[]) =>
      execFileSync(file, args, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // What `npm pack` does, without a second build.
    for (const file of [...programFiles(program), join(dirname(program), 'graphwarden-page.json')])
      await cp(file, join(checkout, 'dist', relative(dirname(program), file)));
    run(process.execPath, 'tools/build/release-documents.ts');
    run(process.execPath, 'tools/build/published-manifest.ts');
    run(requireTool('npm'), 'pack', '--ignore-scripts');
    const home = join(folder, 'home');
    await mkdir(home);
    const [name = 'none'] = (await readdir(checkout)).filter((file) => file.endsWith('.tgz'));
    await rename(join(checkout, name), join(home, name));
    await writeFile(join(home, 'graph-read'), 'secret\n');
    host = await bootSystemd(home);
  }, 400_000);

  afterAll(async () => {
    await host.stop();
    await rm(folder, { recursive: true });
  });

  it('starts, can read its configuration and its secrets, and becomes ready', async () => {
    const commands = guideBlocks('docs/install.md', 'systemd service').join('');
    const { status, output } = host.run(`export npm_config_offline=true\n${commands}`);
    expect([status, output]).toEqual([0, expect.stringContaining(`${config} written`)]);
    expect(host.run('systemctl is-active graphwarden').output).toBe('active\n');
    expect(host.run('systemctl show graphwarden --property StatusText').output).toContain('listening on http://');
    await eventually('it is ready', async () => host.run('curl --fail http://127.0.0.1:9916/-/ready').status === 0);
    const read = host.run(
      `setpriv --reuid graphwarden --regid graphwarden --clear-groups cat ${config} /etc/graphwarden/graph-read`,
    );
    expect([read.status, read.output]).toEqual([0, expect.stringContaining('secret')]);
    expect(host.run(`stat --format '%U %G %a' ${config}`).output).toBe('root graphwarden 640\n');
  });

  it('shows warnings and errors of the daemon by their priority', async () => {
    const warnings = host.run('journalctl --unit graphwarden --priority warning --output cat').output;
    expect(warnings).toContain('"msg":"no receivers configured, no notifications are sent"');
    expect(warnings).not.toContain('"msg":"listening"');
  });

  it('reloads a valid configuration, and fails to reload a rejected one with the reason', async () => {
    expect(host.run('systemctl reload graphwarden').status).toBe(0);
    host.run(`cp ${config} good.yml; echo 'listenn: 1' >> ${config}`);
    expect(host.run('systemctl reload graphwarden').status).toBe(1);
    expect(host.run('systemctl is-active graphwarden').output).toBe('active\n');
    expect(host.run('journalctl --unit graphwarden --output cat').output).toContain(
      `${config}:40:1: listenn: unknown key \`listenn\` (did you mean \`listen\`?)`,
    );
  });

  it('is not restarted again and again if its configuration is invalid', async () => {
    const { status } = host.run(
      'systemctl stop graphwarden; rm -r /var/lib/graphwarden/state; systemctl start graphwarden',
    );
    expect(status).toBe(1);
    const properties = host.run('systemctl show graphwarden --property ActiveState,NRestarts,ExecMainStatus').output;
    expect(properties.split('\n').filter(Boolean).toSorted()).toEqual([
      'ActiveState=failed',
      'ExecMainStatus=2',
      'NRestarts=0',
    ]);
    expect(host.run(`cat good.yml > ${config}; systemctl start graphwarden`).status).toBe(0);
  });

  it('runs with the network restrictions of the guide', async () => {
    const [restrictions = ''] = guideBlocks('docs/install.md', 'systemd service', 'ini');
    const overrides = '/etc/systemd/system/graphwarden.service.d';
    const restart = 'systemctl daemon-reload; systemctl restart graphwarden';
    const { status, output } = host.run(
      `mkdir ${overrides}; cat > ${overrides}/override.conf << 'INI'\n${restrictions}\nINI\n${restart}`,
    );
    expect([status, output]).toEqual([0, '']);
    await eventually('it is ready', async () => host.run('curl --fail http://127.0.0.1:9916/-/ready').status === 0);
    const networks = host.run('systemctl show graphwarden --property IPAddressAllow --value').output;
    expect(networks.trim().split(' ').toSorted()).toEqual(['10.0.0.0/24', '127.0.0.0/8', '::1/128']);
    expect(host.run(`rm -r ${overrides}; ${restart}`).status).toBe(0);
  });

  it('is restarted by the watchdog if it makes no progress', async () => {
    const restarts = (): string => host.run('systemctl show graphwarden --property NRestarts --value').output;
    host.run(`
      mkdir -p /etc/systemd/system/graphwarden.service.d
      printf '[Service]\\nWatchdogSec=6s\\n' > /etc/systemd/system/graphwarden.service.d/watchdog.conf
      systemctl daemon-reload
      systemctl restart graphwarden`);
    expect(restarts()).toBe('0\n');
    host.run('kill -STOP "$(systemctl show graphwarden --property MainPID --value)"');
    await eventually('it is restarted', async () => restarts() === '1\n');
    await eventually('it runs', async () => host.run('systemctl is-active graphwarden').status === 0);
  });

  it('accepts operator actions of its user, and stops cleanly', async () => {
    const [command = 'false', ...others] = guideBlocks('docs/install.md', 'Act as an operator');
    expect(others).toEqual([]);
    const pause = host.run(command);
    expect([pause.status, pause.output]).toEqual([0, 'guard paused\n']);
    expect(host.run('systemctl stop graphwarden').status).toBe(0);
    expect(host.run('systemctl show graphwarden --property Result --value').output).toBe('success\n');
  });

  it('is backed up, upgraded, rolled back and uninstalled by the commands of the guide', async () => {
    const blocks = guideBlocks('docs/install/upgrade.md', 'systemd service');
    expect(blocks).toHaveLength(4);
    const [backup = '', upgrade = '', rollback = '', uninstall = ''] = blocks;
    const runs = (script: string): string => {
      const { status, output } = host.run(`export npm_config_offline=true npm_config_prefix=/usr/local\n${script}`);
      expect([status, output]).toEqual([0, output]);
      return output;
    };
    runs('systemctl start graphwarden');
    expect(runs(backup)).toMatch(/integrity +ok/);
    const [upgradePackage = '', restorePackage = ''] = guideBlocks('docs/install/upgrade.md', 'npm package');
    runs(`cp -r /var/lib/graphwarden/state state\ngraphwarden init graphwarden.yml\n${upgradePackage}`);
    runs(`cp backup.db state/state.db.version-7.backup\n${restorePackage}`);
    runs(upgrade);
    expect(runs('systemctl is-active graphwarden')).toBe('active\n');
    const state = '/var/lib/graphwarden/state';
    const newer = `new (require('node:sqlite').DatabaseSync)('${state}/state.db').exec('PRAGMA user_version = 99')`;
    runs(`systemctl stop graphwarden
      cp /var/backups/graphwarden.db ${state}/state.db.version-${currentSchemaVersion}.backup
      node -e "${newer}"`);
    expect(host.run('systemctl start graphwarden').status).toBe(1);
    const journal = runs('journalctl --unit graphwarden --output cat');
    const [command = 'no command'] = /graphwarden state restore .*/.exec(journal) ?? [];
    expect(journal).toMatch(
      /was written by a newer release \([\d.]+\); this one supports version \d+\. Start the newer/,
    );
    expect(journal).toContain(`this one supports version ${currentSchemaVersion}. Start`);
    runs(`systemctl stop graphwarden\n${command}\nsystemctl start graphwarden`);
    runs(rollback);
    expect(runs('systemctl is-active graphwarden')).toBe('active\n');
    expect(runs('stat --format %U /var/lib/graphwarden/state/state.db')).toBe('graphwarden\n');
    runs(uninstall);
    const left =
      'ls -d /usr/local/bin/graphwarden /etc/graphwarden /var/lib/graphwarden /etc/systemd/system/graphwarden* 2>&1';
    expect(host.run(left).output.match(/No such file/g)).toHaveLength(4);
    expect(host.run('id graphwarden').status).toBe(1);
  });
});
