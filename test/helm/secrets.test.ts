import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { jsonSchemaOf } from '../../src/config/json-schema.ts';
import { configFileSchema, loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { receivers } from '../../src/notify/receivers/all.ts';
import { daemonConfig, daemonPod, helm, renderAll, rendering, template } from './chart.ts';

const text = 'k3y-in-the-open';
const properties = z.record(z.string(), z.looseObject({}));
const mapping = z.looseObject({ properties });
const list = z.looseObject({ items: z.looseObject({}) });

/** Paths of keys that hold a secret: each has a brother that names a file. */
function* secretsOf(shape: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  const items = list.safeParse(shape);
  if (items.success) yield* secretsOf(items.data.items, path);
  const known = mapping.safeParse(shape);
  if (!known.success) return;
  for (const [key, inner] of Object.entries(known.data.properties)) {
    if (`${key}_file` in known.data.properties) yield [...path, key];
    else yield* secretsOf(inner, [...path, key]);
  }
}

const { clusters: _, ...rest } = jsonSchemaOf(configFileSchema()).properties ?? {};
/** Those of the value `config`: clusters have values of their own, which name Secrets. */
const all = [...secretsOf({ properties: rest })].filter(([first = '']) => !first.endsWith('_file'));
/** An address is a secret where it has a token in it, and else none. */
const addresses = all.filter((path) => path.at(-1) === 'url');
const secrets = all.filter((path) => !addresses.includes(path));

/** Keys beside a secret, by the mapping that contains it. */
const besides: Readonly<Record<string, object>> = {
  alertmanager: { urls: ['http://example.org:9093'] },
  pagerduty: { routing_key_file: 'k' },
  slack: { webhook_url_file: 'k' },
  slack_bot: { token_file: 'k', channel: 'C0123456789' },
  teams: { webhook_url_file: 'k' },
  webhook: { url_file: 'k' },
  templated_webhook: { url_file: 'k', body: { text: '{{summary}}' } },
  ntfy: { topic: 'graph' },
  email: { smtp: 'smtp://example.org', username: 'u', from: 'a@example.org', to: ['b@example.org'] },
  http_config: { proxy_url: 'http://proxy.example.org' },
  proxy_basic_auth: { username: 'u' },
  basic_auth: { username: 'u' },
};

function configWith(way: string, more: Readonly<Record<string, unknown>>) {
  const others = Object.entries(besides[way] ?? {}).filter(([key]) => !isSameSecret(key, more));
  return { alerts: { receivers: [{ name: 'oncall', [way]: { ...Object.fromEntries(others), ...more } }] } };
}

function isSameSecret(key: string, more: object): boolean {
  return Object.keys(more).some((given) => given.replace(/_file$/, '') === key.replace(/_file$/, ''));
}

/** The section of a receiver with a value at a path of keys. */
function sectionWith([key = '', ...inner]: readonly string[], value: string): Readonly<Record<string, unknown>> {
  return inner.length === 0 ? { [key]: value } : { [key]: { ...besides[key], ...sectionWith(inner, value) } };
}

interface SecretValues {
  /** The secret itself, and a text that only looks like a reference. */
  readonly refused: readonly [object, object];
  /** A file, and a reference to the environment, with the text that the configuration then has. */
  readonly accepted: readonly (readonly [object, string])[];
}

/** Values of the chart with a secret of a receiver. */
function valuesWith(way: string, path: readonly string[]): SecretValues {
  // Without users, whose hashes take time.
  const web = { createUsers: false };
  const made = (at: readonly string[], value: string) => ({ config: configWith(way, sectionWith(at, value)), web });
  const file = [...path.slice(0, -1), `${path.at(-1)}_file`];
  const [mounted, reference] = ['/etc/graphwarden/secrets/a/b', '${ROUTING_KEY}'];
  return {
    refused: [made(path, text), made(path, '$${NAME}')],
    accepted: [
      [made(file, mounted), mounted],
      [made(path, reference), reference],
    ],
  };
}

const readable = { secrets: [text] };
const unreadable = [{ secrets: ['${KEY}'] }, { files: ['/etc/graphwarden/secrets/a/b'] }, { values: ['plain'] }];

function valuesWithHeader(header: object): object {
  return { config: configWith('webhook', { http_config: { http_headers: { 'X-Key': header } } }) };
}

describe('the secrets of the configuration file', () => {
  beforeAll(() => {
    const sets = secrets.map(([, , way = '', ...keys]) => valuesWith(way, keys));
    renderAll([
      ...sets.flatMap(({ refused, accepted }) => [...refused, ...accepted.map(([values]) => values)]),
      ...[readable, ...unreadable].map(valuesWithHeader),
    ]);
  });

  it('are those of receivers', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    for (const path of secrets) expect(path.slice(0, 2)).toEqual(['alerts', 'receivers']);
  });

  it.skipIf(helm === undefined).each(secrets.map(([, , way = '', ...keys]) => [way, keys.join('.')] as const))(
    'are in no ConfigMap: %s.%s',
    (way, key) => {
      const { refused, accepted } = valuesWith(way, key.split('.'));
      const { text: made, error } = template({ values: refused[0] });
      expect(made).toBe('');
      expect(error.replaceAll('\n', ' ')).toMatch(new RegExp(`Put it into a Secret.*set ${key}_file`));
      expect(error).not.toContain(text);
      // The program reads a doubled dollar sign as text.
      expect(template({ values: refused[1] }).error).toContain('Put it into a Secret');
      for (const [values, shown] of accepted) expect(rendering({ values }).text).toContain(shown);
    },
  );

  it.skipIf(helm === undefined)('are in no ConfigMap: the header of a webhook', () => {
    const { text: made, error } = template({ values: valuesWithHeader(readable) });
    expect(made).toBe('');
    expect(error.replaceAll('\n', ' ')).toMatch(/a secret of the header X-Key of oncall .*set files: \[/);
    expect(error).not.toContain(text);
    for (const header of unreadable) {
      expect(rendering({ values: valuesWithHeader(header) }).text).toContain(Object.values(header)[0]?.[0]);
    }
  });
});

function valuesOf(receiver: object): object {
  return { config: { alerts: { receivers: [receiver] } }, existingSecrets: ['receivers'] };
}

describe.skipIf(helm === undefined)('a receiver with its files in a Secret', () => {
  const folder = '/etc/graphwarden/secrets/receivers';
  const tls = { ca_file: 'ca.crt', cert_file: 'tls.crt', key_file: 'tls.key' };
  const inFolder = (keys: object) => Object.entries(keys).map(([key, name]) => [key, `${folder}/${name}`]);

  /** A receiver of a kind with all its secrets, its CA and its client certificate in files. */
  function receiverOf(kind: string): Readonly<Record<string, unknown>> {
    const own = secrets.filter(([, , way, ...keys]) => way === kind && keys.length === 1).map((path) => path.at(-1));
    const files = Object.fromEntries(inFolder(Object.fromEntries(own.map((key = '') => [`${key}_file`, key]))));
    const others = Object.entries(besides[kind] ?? {}).map(([key, value]) =>
      key.endsWith('_file') ? [key, `${folder}/${key}`] : [key, value],
    );
    const tls_config = { ...Object.fromEntries(inFolder(tls)), server_name: 'receiver.example.org' };
    const connection = kind === 'email' ? { tls_config } : { http_config: { tls_config } };
    return { name: kind, [kind]: { ...Object.fromEntries(others), ...files, ...connection } };
  }

  beforeAll(() => renderAll(receivers.map(({ kind }) => valuesOf(receiverOf(kind)))));

  it.each(receivers.map(({ kind }) => kind))('is accepted by the chart and by the program: %s', (kind) => {
    const receiver = receiverOf(kind);
    const made = rendering({ values: valuesOf(receiver) });
    const { pod, daemon } = daemonPod(made);
    const mount = daemon.volumeMounts?.find(({ mountPath }) => mountPath === folder);
    const volume = pod.volumes?.find((one) => one.name === mount?.name);
    expect(JSON.stringify(volume)).toContain('"secretName":"receivers"');
    const written = z.looseObject({ alerts: z.looseObject({ receivers: z.array(z.looseObject({})) }) });
    expect(written.parse(daemonConfig(made)).alerts.receivers).toEqual([receiver]);
    const loaded = loadConfig(stringify(daemonConfig(made)), 'graphwarden.yml', {});
    expect(loaded.ok ? '' : formatProblems(loaded.error)).toBe('');
  });
});

const tokens = [
  'https://hc.example.org/0f3a6b52-9c1e-4d2f-8a75-3f0c7be1d9aa',
  'https://nosnch.example.org/api/c2354d53d2c2354d/',
  'https://chat.example.org/hooks/T0123456789/aB3dE5gH7jK9mN1p',
];
const plain = [
  'http://alert-gateway.monitoring.svc:8080/api/v1/graphwarden-alerts',
  'https://hooks-for-cluster-0123456789.example.org/graph',
  '${HOOK_URL}',
];

function valuesWithUrl(url: string): object {
  return { config: configWith('webhook', { url }) };
}

describe('an address of the configuration file that may be a secret', () => {
  beforeAll(() => renderAll([...tokens, ...plain].map(valuesWithUrl)));

  it('is the address of a webhook', () => {
    expect(addresses).toEqual([
      ['alerts', 'receivers', 'webhook', 'url'],
      ['alerts', 'receivers', 'templated_webhook', 'url'],
    ]);
  });

  it.skipIf(helm === undefined).each(tokens)('is in no ConfigMap if it contains a possible token: %s', (url) => {
    const { text: made, error } = template({ values: valuesWithUrl(url) });
    expect(made).toBe('');
    expect(error.replaceAll('\n', ' ')).toMatch(/url of oncall has what looks like a token.*set url_file/);
    expect(error).not.toContain(url);
  });

  it.skipIf(helm === undefined).each(plain)('is in the ConfigMap without a possible token: %s', (url) => {
    expect(rendering({ values: valuesWithUrl(url) }).text).toContain(url);
  });
});
