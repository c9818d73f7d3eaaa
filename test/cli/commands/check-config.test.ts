import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../src/cli/commands/check-config.ts';
import { testPorts } from '../../support/cli-ports.ts';

const good = 'clusters:\n  - name: prod\n    nodes:\n      - { name: m1, url: "http://10.0.0.1:14240" }\n';

it('a valid configuration prints ok', async () => {
  const ports = testPorts();
  ports.disk.set('a.yml', good);
  expect(await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, ports, [])).toBe(0);
  expect(ports.stdout.text()).toBe('ok\n');
});

it('check-config › prints all problems with their positions', async () => {
  const ports = testPorts();
  ports.disk.set('a.yml', `lisen: x\n${good}      - { name: m1, url: 7 }\n`);
  expect(await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, ports, [])).toBe(2);
  const lines = ports.stdout.text().trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(2);
  expect(lines.every((line) => /^a\.yml:\d+:\d+: /.test(line))).toBe(true);
  expect(lines[0]).toMatch(/listen/);
});

it('check-config › expands environment variables', async () => {
  const ports = testPorts({ environment: { NODE_URL: 'http://10.0.0.1:14240' } });
  ports.disk.set('a.yml', good.replace('http://10.0.0.1:14240', '${NODE_URL}'));
  expect(await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, ports, [])).toBe(0);
});

it('check-config › reports a missing file', async () => {
  const ports = testPorts();
  expect(await checkConfig.run({ flags: {}, arguments: ['none.yml'] }, ports, [])).toBe(2);
  expect(ports.stdout.text()).toBe("none.yml:1:1: cannot read 'none.yml': no such file\n");
});

describe('a guard in enforce mode', () => {
  const policy = '{ name: runaway, mode: enforce, when: { age: "> 10m" } }';

  it.each(['enforce', 'observe'])('is valid if guard and policies are to %s', async (mode) => {
    const ports = testPorts();
    ports.disk.set('a.yml', `${good}guard: { mode: ${mode}, policies: [${policy}] }\n`);
    expect(await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, ports, [])).toBe(0);
    expect([ports.stdout.text(), ports.stderr.text()]).toEqual(['ok\n', '']);
  });
});

describe('the web config file that it names', () => {
  async function check(web?: string) {
    const ports = testPorts();
    ports.disk.set('etc/a.yml', `web_config_file: web.yml\n${good}`);
    if (web !== undefined) ports.disk.set('etc/web.yml', web);
    const exit = await checkConfig.run({ flags: {}, arguments: ['etc/a.yml'] }, ports, []);
    return [exit, ports.stdout.text()];
  }

  it('is also checked', async () => {
    expect(await check('basic_auth_users: {}\n')).toEqual([0, 'ok\n']);
  });

  it('is rejected with every problem and its position', async () => {
    const [exit, text] = await check('basic_auth_user: {}\ntls_server_config: { cert_file: c.pem }\n');
    expect(exit).toBe(2);
    expect(text).toMatch(/^etc\/web\.yml:1:1: .*did you mean `basic_auth_users`.*\netc\/web\.yml:2:\d+: .*key_file/);
  });

  it('is an error if the file is missing', async () => {
    expect(await check()).toEqual([2, "etc/web.yml:1:1: cannot read 'etc/web.yml': no such file\n"]);
  });
});

describe('a file with warnings and maintenance windows', () => {
  const alerts = `alerts:
  routes: [{ matchers: ['cluster_name="prd"'], receivers: [] }, { receivers: [] }]
  maintenance: [{ name: sunday, days: [sun], from: "02:00", to: "04:00" }]
`;

  async function check(flags: Record<string, string>) {
    const ports = testPorts();
    ports.disk.set('a.yml', good + alerts);
    return [await checkConfig.run({ flags, arguments: ['a.yml'] }, ports, []), ports.stdout.text()] as const;
  }

  it('is valid, and prints the warnings before and the openings after that', async () => {
    const [exit, text] = await check({});
    expect(exit).toBe(0);
    const [warning, said, , header, ...openings] = text.trimEnd().split('\n');
    expect(warning).toBe(
      'a.yml:6:25: warning: alerts.routes[0].matchers[0]: matches no configured cluster (did you mean the name of clusters[0]?)',
    );
    expect(said).toBe('ok');
    expect(header).toMatch(/^MAINTENANCE +ZONE +OPENS/);
    expect(openings).toHaveLength(5);
  });

  it('is printed as JSON on request', async () => {
    const [exit, text] = await check({ json: '' });
    expect(exit).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      valid: true,
      problems: [],
      warnings: [{ file: 'a.yml', line: 6, column: 25, path: 'alerts.routes[0].matchers[0]' }],
      maintenance: [{ name: 'sunday', tz: 'UTC', openings: { length: 5 } }],
    });
  });

  it('has its problems in the JSON if it is invalid', async () => {
    const ports = testPorts();
    ports.disk.set('a.yml', `lisen: x\n${good}`);
    expect(await checkConfig.run({ flags: { json: '' }, arguments: ['a.yml'] }, ports, [])).toBe(2);
    expect(JSON.parse(ports.stdout.text())).toMatchObject({
      valid: false,
      problems: [{ path: 'lisen', line: 1 }],
      warnings: [],
      maintenance: [],
    });
  });
});

async function checked(text: string, flags = {}, files: Readonly<Record<string, string>> = {}) {
  const ports = testPorts();
  for (const [path, content] of Object.entries({ 'a.yml': text, ...files })) ports.disk.set(path, content);
  const code = await checkConfig.run({ flags, arguments: ['a.yml'] }, ports, []);
  return { code, out: ports.stdout.text() };
}

/** Conditions of a policy on the query `scan`. */
function scan(age: string, more = ''): string {
  return `when: { query: scan, age: "> ${age}"${more} }`;
}

describe('warnings', () => {
  const secret = `${good}    read_auth: { bearer_token_file: token }\n    tls: { ca_file: ca.pem }\n`;

  it('name missing files, and are an error with --strict', async () => {
    const { code, out } = await checked(secret);
    expect([code, out.match(/names a file that does not exist/g)?.length]).toEqual([0, 2]);
    expect(out).toMatch(/read_auth\.bearer_token_file.*create token, or correct the path/);
    expect((await checked(secret, { strict: '' })).code).toBe(1);
    expect(await checked(secret, { strict: '' }, { token: 't', 'ca.pem': 'c' })).toEqual({ code: 0, out: 'ok\n' });
  });

  it('name a file that is there but not readable', async () => {
    const ports = testPorts();
    ports.disk.set('a.yml', secret);
    const files = { ...ports.files, presence: async () => 'present' as const };
    await checkConfig.run({ flags: {}, arguments: ['a.yml'] }, { ...ports, files }, []);
    expect(ports.stdout.text()).toMatch(
      /bearer_token_file: names a file that is not readable \(cannot read 'token': no such file\)/,
    );
  });

  it('name an empty file', async () => {
    const { code, out } = await checked(secret, {}, { token: ' \n', 'ca.pem': 'c' });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^a\.yml:\d+:\d+: .*bearer_token_file: names an empty file \(write the content to token, or correct the path\)\n.*ok\n$/s,
    );
  });

  it('do not repeat a secret that was written where its file belongs', async () => {
    const token = 'jiokmfqqfu2f95qs6ug85o89rpkneib3';
    const { out } = await checked(`${good}    read_auth: { secret_file: ${token} }\n`);
    expect(out).toMatch(/read_auth\.secret_file: .*create …, or correct the path/);
    expect(out).not.toContain(token);
    const web = await checked(`web_config_file: ${token}\n${good}`);
    expect(web).toEqual({ code: 2, out: expect.stringMatching(/^…:1:1: cannot read/) });
  });

  it('name two nodes with one URL', async () => {
    const { code, out } = await checked(`${good}      - { name: m2, url: "http://10.0.0.1:14240" }\n`);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/nodes\[1\]\.url: is already the URL of clusters\[0\]\.nodes\[0\]/),
    ]);
  });

  it('name a policy that never acts, because an earlier one matches all of its queries', async () => {
    const both = (first: string, second: string) =>
      checked(`${good}guard: { policies: [{ name: a, ${first} }, { name: b, ${second} }] }\n`);
    const shadowed = /guard\.policies\[1\]: never acts, because guard\.policies\[0\] comes first .*move it before/;
    expect((await both(scan('10m'), scan('10m'))).out).toMatch(shadowed);
    expect((await both(scan('10m'), scan('20m', ', graph: fraud'))).out).toMatch(shadowed);
    expect((await both(`mode: enforce, ${scan('10m')}`, scan('20m'))).out).toMatch(shadowed);
    for (const [first, second] of [
      [scan('20m'), scan('10m')],
      [scan('10m', ', graph: fraud'), scan('10m')],
      [`${scan('10m')}, unless: { graph: fraud }`, scan('20m')],
      [`${scan('10m')}, active: { from: "08:00", to: "09:00" }`, scan('20m')],
      [`${scan('10m')}, confirm: { observations: 3 }`, scan('20m')],
      [scan('10m'), `mode: enforce, ${scan('20m')}`],
    ] as const) {
      expect((await both(first, second)).out).toBe('ok\n');
    }
  });

  it('name a policy whose queries are all protected', async () => {
    const policy = 'name: p, when: { age: "> 10m", query: [scan] }';
    const spared = `${good}guard: { protect: [{ query: [scan] }], policies: [{ ${policy} }] }\n`;
    expect((await checked(spared)).out).toMatch(/guard\.policies\[0\]: never aborts .* guard\.protect\[0\] protects/);
    const other = `${good}guard: { protect: [{ query: [load] }], policies: [{ ${policy} }] }\n`;
    expect((await checked(other)).out).toBe('ok\n');
  });
});
