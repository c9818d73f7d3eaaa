import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { guideBlocks, guideCommands, runIsolated } from '../support/guide.ts';
import { installedProgram } from '../support/installed-program.ts';
import { findTool } from '../support/tools.ts';

const guide = 'docs/install.md';
const isPossible =
  process.getuid?.() === 0 && ['curl', 'openssl', 'unshare'].every((name) => findTool(name) !== undefined);

const [webConfig = '', users = '', proxy = '', hosts = ''] = guideBlocks(guide, 'Act as an operator', 'yaml');
const [list = '', scrape = '', forged = '', ...others] = guideCommands(
  guide,
  'Act as an operator',
  /^graphwarden silence |^curl /,
);
const cluster = { clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://10.0.0.7:14240' }] }] };

const certificate = `
names='-subj /CN=warden.example.org -addext subjectAltName=DNS:warden.example.org'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 $names -keyout warden.key -out warden.crt
# In place of a certificate of a public CA.
export NODE_EXTRA_CA_CERTS=$PWD/warden.crt CURL_CA_BUNDLE=$PWD/warden.crt
`;

/** Runs commands beside a daemon at 10.0.0.7, which is `warden.example.org`, with a section of the guide. */
async function besideDaemon(section: string, url: string, ...commands: readonly string[]): Promise<string> {
  const { cwd, env } = await installedProgram();
  await writeFile(join(cwd, 'graphwarden.yml'), `${section}${stringify({ listen: '0.0.0.0:9916', ...cluster })}`);
  await writeFile(
    join(cwd, 'web.yml'),
    webConfig.replaceAll('$2y$10$…', () => hashSync('right', 10)),
  );
  await writeFile(join(cwd, 'FILE'), 'right\n');
  await writeFile(join(cwd, 'hosts'), '127.0.0.1 localhost\n10.0.0.7 warden.example.org\n');
  const script = [
    'mount --bind hosts /etc/hosts',
    certificate,
    'graphwarden run --config graphwarden.yml & daemon=$!',
    `wait_for curl --fail ${url}/-/ready`,
    ...commands,
    'kill $daemon; wait $daemon',
  ];
  return runIsolated(script.join('\n'), { cwd, env, nodes: ['10.0.0.7', '10.0.0.5'] });
}

describe.skipIf(!isPossible)('operators of the install guide', () => {
  it('have commands and sections that are run here', () => {
    expect(others).toEqual([]);
    expect(guideBlocks(guide, 'Act as an operator', 'yaml')).toHaveLength(4);
  });

  it('act by their user over TLS, and a scraper cannot read', async () => {
    const withName = `${users}external_url: https://warden.example.org:9916\n`;
    // The password that curl asks for.
    const asScraper = scrape.replace('--user prometheus', '--user prometheus:right');
    const said = await besideDaemon(withName, 'https://warden.example.org:9916', list, asScraper);
    expect(said).toContain('no silences');
    expect(said).toContain('"status":403');
  });

  it('act through a proxy, and no other host can use its header', async () => {
    const throughProxy = forged.replace('curl ', 'curl --interface 10.0.0.5 --fail ');
    const said = await besideDaemon(proxy, 'http://10.0.0.7:9916', forged, throughProxy);
    expect(said).toContain('"status":403');
    expect(said).toContain('"by":"alice@example.org"');
  });

  it('use the configured host names, and no other', async () => {
    const status = "curl --silent --output /dev/null --write-out '%{http_code}\\n' --header";
    const url = 'http://10.0.0.7:9916';
    const requests = ['a.monitoring.svc', 'warden.internal', 'evil.example.org'].map(
      (name) => `${status} 'Host: ${name}' ${url}/metrics`,
    );
    const said = await besideDaemon(hosts, url, ...requests);
    expect(said.match(/^\d{3}$/gm)).toEqual(['200', '200', '421']);
  });
});
