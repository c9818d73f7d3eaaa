import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { logExposedFiles } from '../../src/cli/exposed-files.ts';
import { readConfig } from '../../src/cli/read-config.ts';
import { fileMode, systemFiles } from '../../src/runtime/files.ts';
import { configFile, livePorts, temporaryFolder } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';

/** Paths in the warnings for files with these permissions. */
async function warnedOf(mode: { readonly folder: number; readonly file: number }): Promise<readonly unknown[]> {
  const folder = await temporaryFolder();
  const path = (name: string): string => join(folder, name);
  const web = { tls_server_config: { cert_file: 'cert.pem', key_file: 'listener.pem' } };
  for (const name of ['read', 'abort', 'key.pem', 'headers', 'web.yml', 'slack', 'listener.pem']) {
    await writeFile(path(name), name === 'web.yml' ? stringify(web) : 'hunter-canary');
    await chmod(path(name), mode.file);
  }
  await mkdir(path('state'));
  await chmod(path('state'), mode.folder);
  const file = await configFile({
    state_dir: path('state'),
    web_config_file: path('web.yml'),
    clusters: [
      {
        name: 'prod',
        nodes: [{ name: 'm1', url: 'https://m1' }],
        read_auth: { bearer_token_file: path('read') },
        abort_auth: { secret_file: path('abort') },
        tls: { cert_file: path('cert.pem'), key_file: path('key.pem') },
      },
    ],
    alerts: { receivers: [{ name: 'chat', slack: { webhook_url_file: path('slack') } }] },
    telemetry: { traces: { endpoint: 'http://a', headers_file: path('headers') } },
  });
  await chmod(file, mode.file);
  const config = await readConfig(file, livePorts());
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const log = recordingLogger();
  await logExposedFiles(config.value, { fileMode, files: systemFiles, file }, log);
  expect(JSON.stringify(log.lines)).not.toContain('hunter-canary');
  return log.lines.map(({ level, message, fields }) => [level, message, String(fields?.path).slice(folder.length + 1)]);
}

it('exposed files › warns of a state directory that all users can write, and of secrets that all can read', async () => {
  const warned = await warnedOf({ folder: 0o777, file: 0o644 });
  expect(warned[0]).toEqual(['warn', 'state directory writable by all users', 'state']);
  const files = warned.slice(1).map((line) => String(line));
  expect(files.toSorted()).toEqual(
    ['abort', 'headers', 'key.pem', 'listener.pem', 'read', 'slack', 'web.yml'].map(
      (name) => `warn,secret file readable by all users,${name}`,
    ),
  );
});

it('exposed files › does not warn of files for their owner and group', async () => {
  expect(await warnedOf({ folder: 0o770, file: 0o640 })).toEqual([]);
});

async function warnedOfConfig(mode: number, password: string): Promise<readonly unknown[]> {
  const nodes = [{ name: 'm1', url: 'https://m1' }];
  const clusters = [{ name: 'prod', nodes, read_auth: { basic: { username: 'a', password } } }];
  const file = await configFile({ state_dir: await temporaryFolder(), clusters });
  await chmod(file, mode);
  const config = await readConfig(file, livePorts());
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const log = recordingLogger();
  await logExposedFiles(config.value, { fileMode, files: systemFiles, file }, log);
  expect(JSON.stringify(log.lines)).not.toContain('hunter-canary');
  return log.lines.map(({ message, fields }) => [message, fields?.keys]);
}

it('exposed files › warns of a configuration file that all users can write, or read if it has inline secrets', async () => {
  const keys = ['clusters[0].read_auth.basic.password'];
  expect(await warnedOfConfig(0o644, 'hunter-canary')).toEqual([
    ['config with inline secrets readable by all users', keys],
  ]);
  expect(await warnedOfConfig(0o640, 'hunter-canary')).toEqual([]);
  expect(await warnedOfConfig(0o644, '$${literal')).toEqual([
    ['config with inline secrets readable by all users', keys],
  ]);
  expect(await warnedOfConfig(0o642, 'hunter-canary')).toEqual([['config writable by all users', undefined]]);
});

it('exposed files › does not warn of a file without secrets for its problems', async () => {
  const nodes = [{ name: 'm1', url: 'https://m1' }];
  const file = await configFile({ state_dir: await temporaryFolder(), clusters: [{ name: 'prod', nodes }] });
  await chmod(file, 0o644);
  const config = await readConfig(file, livePorts());
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const problems = [{ file, line: 1, column: 1, path: 'limits', message: 'is invalid' }];
  const rejection = { since: 0, problems, isGuardUnreadable: false };
  const log = recordingLogger();
  const given = { ...config.value, rejection, warnings: problems };
  await logExposedFiles(given, { fileMode, files: systemFiles, file }, log);
  expect(log.lines).toEqual([]);
});
