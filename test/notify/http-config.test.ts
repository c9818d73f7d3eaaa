import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { configuredHeaders, configuredProxy, headerProblem, httpConfigField } from '../../src/notify/http-config.ts';

const hush = 'canary-of-a-secret';
const field = httpConfigField(true);

function problemsOf(given: object, hasCredentials = true): readonly string[] {
  const parsed = httpConfigField(hasCredentials).safeParse(given);
  expect(JSON.stringify(parsed.error?.issues ?? [])).not.toContain(hush);
  return parsed.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

/** The headers and the proxy that a configuration leads to, with the texts of its files. */
function configured(given: object, files: Readonly<Record<string, string>> = {}) {
  const { http, secrets } = field.parse(given) ?? { http: { headers: {} }, secrets: {} };
  const values = Object.fromEntries(
    Object.entries(secrets).map(([name, source]) => [
      name,
      'file' in source ? new Secret(files[source.file] ?? '') : source.value,
    ]),
  );
  return { headers: configuredHeaders(http, values), proxy: configuredProxy(http, values) };
}

describe('http_config', () => {
  it('adds basic authentication, with the password in a file', () => {
    const given = { basic_auth: { username: 'warden', password_file: 'p' } };
    const authorization = `Basic ${Buffer.from('warden:größe').toString('base64')}`;
    expect(configured(given, { p: 'größe' }).headers).toEqual({ authorization });
  });

  it.each([
    [{ credentials: hush }, `Bearer ${hush}`],
    [{ type: 'GenieKey', credentials_file: 'k' }, 'GenieKey from-file'],
  ])('adds the authorization %j', (authorization, expected) => {
    expect(configured({ authorization }, { k: 'from-file' }).headers).toEqual({ authorization: expected });
  });

  it('adds headers from values, secrets and files', () => {
    const http_headers = {
      'X-Scope-OrgID': { values: ['tenant-1'] },
      'X-Api-Key': { values: ['a'], secrets: ['b'], files: ['k'] },
    };
    expect(configured({ http_headers }, { k: 'c' }).headers).toEqual({
      'x-scope-orgid': 'tenant-1',
      'x-api-key': 'a, b, c',
    });
  });

  it('uses the proxy of the environment unless it names one, with credentials from a file', () => {
    const proxy_url = 'http://proxy.test:3128';
    expect(configured({}).proxy).toBe('environment');
    expect(configured({ proxy_url }).proxy).toEqual({ url: proxy_url });
    const proxy_basic_auth = { username: 'u', password_file: 'p' };
    expect(configured({ proxy_url, proxy_basic_auth }, { p: 'x' }).proxy).toEqual({
      url: proxy_url,
      authorization: `Basic ${Buffer.from('u:x').toString('base64')}`,
    });
  });

  it('reads TLS files as a cluster does', () => {
    const tls_config = { ca_file: 'ca', cert_file: 'c', key_file: 'k', server_name: 'n' };
    expect(field.parse({ tls_config })?.http.tls).toEqual({
      caFile: 'ca',
      certFile: 'c',
      keyFile: 'k',
      serverName: 'n',
      insecureSkipVerify: false,
    });
    expect(problemsOf({ tls_config: { cert_file: 'c' } })).toEqual([
      'tls_config: needs cert_file and key_file together',
    ]);
  });

  it('has no credentials and headers for a receiver with its own token', () => {
    expect(problemsOf({ basic_auth: {}, http_headers: {} }, false)).toEqual([
      ': Unrecognized keys: "basic_auth", "http_headers"',
    ]);
    expect(httpConfigField(false).parse({ proxy_url: 'http://proxy.test' })?.secrets).toEqual({});
  });

  it.each<[object, string]>([
    [{ basic_auth: { username: 'u' } }, 'basic_auth: needs one of password and password_file'],
    [
      { basic_auth: { username: 'u', password: hush, password_file: 'f' } },
      'basic_auth: needs one of password and password_file',
    ],
    [{ basic_auth: { username: 'a:b', password: hush } }, 'basic_auth.username: must not be empty'],
    [{ authorization: {} }, 'authorization: needs one of credentials and credentials_file'],
    [{ authorization: { type: 'basic', credentials: hush } }, 'authorization.type: cannot be Basic; use basic_auth'],
    [
      { basic_auth: { username: 'u', password: hush }, authorization: { credentials: hush } },
      ': takes one of basic_auth and authorization',
    ],
    [{ proxy_basic_auth: { username: 'u', password: hush } }, ': proxy_basic_auth requires proxy_url'],
    [{ proxy_url: `http://u:${hush}@proxy.test` }, 'proxy_url: must not contain a user name or a password'],
    [{ proxy_url: 'socks5://proxy.test' }, 'proxy_url: must be an address that begins with http:// or https://'],
    [{ http_headers: { 'X-A': {} } }, 'http_headers.X-A: needs one of values, secrets and files'],
    [{ http_headers: { 'X-A': { values: ['a\r\nb'] } } }, 'http_headers.X-A.values.0: must not be empty or contain'],
  ])('rejects %j', (given, problem) => {
    expect(problemsOf(given)).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['Authorization', 'host', 'Content-Type', 'Proxy-Authorization', 'Idempotency-Key', 'a b', ''])(
    'rejects the header %j',
    (name) => {
      const issues = field.safeParse({ http_headers: { [name]: { values: ['x'] } } }).error?.issues ?? [];
      expect(issues.map(({ code }) => code)).toEqual(['invalid_key']);
    },
  );
});

it('a header value with a line break is rejected without its text', () => {
  expect(headerProblem({ 'x-a': 'fine', 'x-b': 'é' })).toBeUndefined();
  for (const text of [`${hush}\nx: y`, '', '漢']) {
    expect(headerProblem({ 'x-a': 'fine', 'x-b': text })).toBe(
      'the value of the header x-b contains a line break or a character that a header cannot contain',
    );
  }
});
