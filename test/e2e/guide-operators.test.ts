import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { guideBlocks, guideCommands, runIsolated } from '../support/guide.ts';
import { installedProgram } from '../support/installed-program.ts';
import { findTool, requireTool } from '../support/tools.ts';

const guide = 'docs/install.md';
const isPossible =
  process.getuid?.() === 0 && ['curl', 'openssl', 'unshare'].every((name) => findTool(name) !== undefined);

const [webConfig = '', users = '', proxy = '', hosts = ''] = guideBlocks(guide, 'Act as an operator', 'yaml');
const [list = '', scrape = '', forged = '', ...others] = guideCommands(
  guide,
  'Act as an operator',
  /^graphwarden silence |^curl /,
);
const [proxySettings = ''] = guideBlocks(guide, 'Act as an operator', 'ini');
const cluster = { clusters: [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://10.0.0.7:14240' }] }] };

const certificate = `
names='-subj /CN=warden.example.org -addext subjectAltName=DNS:warden.example.org,DNS:login.example.org'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 $names -keyout warden.key -out warden.crt
# In place of a certificate of a public CA.
export NODE_EXTRA_CA_CERTS=$PWD/warden.crt CURL_CA_BUNDLE=$PWD/warden.crt SSL_CERT_FILE=$PWD/warden.crt
`;

/** nginx with TLS in front of oauth2-proxy and of the OIDC provider. */
const tlsServers = `daemon off; master_process off; pid nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`).join(' ')}
  ssl_certificate warden.crt; ssl_certificate_key warden.key;
  proxy_set_header Host $host;
  server { listen 10.0.0.5:443 ssl; server_name warden.example.org; location / { proxy_pass http://127.0.0.1:4180; } }
  server { listen 10.0.0.5:443 ssl; server_name login.example.org; location / { proxy_pass http://127.0.0.1:5556; } }
}
`;

/** Commands that start oauth2-proxy with the settings of the guide, and request graphwarden through it as \`alice\`. */
const throughOauth2Proxy = (oauth2Proxy: string): string => `
# The address from which the proxy connects.
ip route replace local 10.0.0.7 dev lo table local src 10.0.0.5
printf '127.0.0.1 localhost\\n10.0.0.5 warden.example.org login.example.org\\n' > hosts
mkdir /run/secrets
echo secret > /run/secrets/oidc
openssl rand -hex 16 > /run/secrets/cookie
nginx -p $PWD -c nginx.conf & nginx=$!
node ${resolve('test/support/oidc-provider.ts')} https://login.example.org graphwarden alice@example.org &
wait_for curl --fail https://login.example.org/keys
${oauth2Proxy} --config oauth2-proxy.cfg &
wait_for curl --fail https://warden.example.org/ping
request() { curl --silent --output answer --write-out "$1 %{http_code}\\n" --cookie jar --cookie-jar jar "\${@:2}"; }
request anonymous https://warden.example.org/api/v1/silences
request login --location 'https://warden.example.org/oauth2/start?rd=/api/v1/silences'
request pause --request POST https://warden.example.org/api/v1/guard/pause
request resume --request POST --header 'X-Forwarded-Email: mallory@example.org' https://warden.example.org/api/v1/guard/resume
kill $nginx
`;

/** Runs commands beside a daemon at 10.0.0.7, which is `warden.example.org`, with a section of the guide. */
async function besideDaemon(
  section: string,
  url: string,
  { commands, files = {} }: { commands: readonly string[]; files?: Readonly<Record<string, string>> },
): Promise<string> {
  const { cwd, env } = await installedProgram();
  await writeFile(join(cwd, 'graphwarden.yml'), `${section}${stringify({ listen: '0.0.0.0:9916', ...cluster })}`);
  await writeFile(
    join(cwd, 'web.yml'),
    webConfig.replaceAll('$2y$10$…', () => hashSync('right', 10)),
  );
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
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
    const said = await besideDaemon(withName, 'https://warden.example.org:9916', { commands: [list, asScraper] });
    expect(said).toContain('no silences');
    expect(said).toContain('"status":403');
  });

  it('act through a proxy, and no other host can use its header', async () => {
    const throughProxy = forged.replace('curl ', 'curl --interface 10.0.0.5 --fail ');
    const said = await besideDaemon(proxy, 'http://10.0.0.7:9916', { commands: [forged, throughProxy] });
    expect(said).toContain('"status":403');
    expect(said).toContain('"by":"alice@example.org"');
  });

  const tools = [findTool('nginx'), findTool('oauth2-proxy')];
  it.skipIf(tools.includes(undefined))('act as the user that an OIDC provider confirms to oauth2-proxy', async () => {
    const files = { 'oauth2-proxy.cfg': proxySettings, 'nginx.conf': tlsServers };
    const said = await besideDaemon(proxy, 'http://10.0.0.7:9916', {
      files,
      commands: [throughOauth2Proxy(requireTool('oauth2-proxy'))],
    });
    expect(said.match(/^(?:anonymous|login|pause|resume) \d+$/gm)).toEqual([
      'anonymous 403',
      'login 200',
      'pause 200',
      'resume 200',
    ]);
    expect(said).toMatch(/"by":"alice@example.org".*"msg":"guard paused"/);
    expect(said).toMatch(/"by":"alice@example.org".*"msg":"guard resumed"/);
    expect(said).not.toContain('"by":"mallory');
  });

  it('use the configured host names, and no other', async () => {
    const status = "curl --silent --output /dev/null --write-out '%{http_code}\\n' --header";
    const url = 'http://10.0.0.7:9916';
    const requests = ['a.monitoring.svc', 'warden.internal', 'evil.example.org'].map(
      (name) => `${status} 'Host: ${name}' ${url}/metrics`,
    );
    const said = await besideDaemon(hosts, url, { commands: requests });
    expect(said.match(/^\d{3}$/gm)).toEqual(['200', '200', '421']);
  });
});
