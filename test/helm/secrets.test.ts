import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from '../../src/config/json-schema.ts';
import { configFileSchema } from '../../src/config/load.ts';
import { helm, rendering, template } from './chart.ts';

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

const { clusters: _, ...rest } = jsonSchemaOf(configFileSchema).properties ?? {};
/** Those of the value `config`: clusters have values of their own, which name Secrets. */
const all = [...secretsOf({ properties: rest })].filter(([first = '']) => !first.endsWith('_file'));
/** An address is a secret where it has a token in it, and else none. */
const addresses = all.filter((path) => path.at(-1) === 'url');
const secrets = all.filter((path) => !addresses.includes(path));

function configWith(way: string, more: Readonly<Record<string, string>>) {
  const needed: Readonly<Record<string, object>> = {
    webhook: 'url_file' in more ? {} : { url: 'https://example.org/hook' },
    ntfy: { topic: 'graph' },
    email: { smtp: 'smtp://example.org', username: 'u', from: 'a@example.org', to: ['b@example.org'] },
  };
  return { alerts: { receivers: [{ name: 'oncall', [way]: { ...needed[way], ...more } }] } };
}

describe('the secrets of the configuration file', () => {
  it('are those of receivers', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    for (const path of secrets) expect(path.slice(0, 2)).toEqual(['alerts', 'receivers']);
  });

  it.skipIf(helm === undefined).each(secrets.map(([, , way = '', key = '']) => [way, key] as const))(
    'get into no ConfigMap: %s.%s',
    (way, key) => {
      const { text: made, trouble } = template({ values: { config: configWith(way, { [key]: text }) } });
      expect(made).toBe('');
      expect(trouble.replaceAll('\n', ' ')).toMatch(new RegExp(`Put it into a Secret.*say ${key}_file`));
      expect(trouble).not.toContain(text);
      // Text that only looks like a reference is one that is written out.
      const doubled = template({ values: { config: configWith(way, { [key]: '$${NAME}' }) } });
      expect(doubled.trouble).toContain('Put it into a Secret');
      for (const value of [{ [`${key}_file`]: '/etc/graphwarden/secrets/a/b' }, { [key]: '${ROUTING_KEY}' }]) {
        expect(rendering({ values: { config: configWith(way, value) } }).text).toContain(Object.values(value)[0]);
      }
    },
  );
});

describe('an address of the configuration file that may be a secret', () => {
  it('is that of a webhook', () => {
    expect(addresses).toEqual([['alerts', 'receivers', 'webhook', 'url']]);
  });

  it
    .skipIf(helm === undefined)
    .each([
      'https://hc.example.org/0f3a6b52-9c1e-4d2f-8a75-3f0c7be1d9aa',
      'https://nosnch.example.org/api/c2354d53d2c2354d/',
      'https://chat.example.org/hooks/T0123456789/aB3dE5gH7jK9mN1p',
    ])('gets into no ConfigMap where it has what looks like a token: %s', (url) => {
    const { text: made, trouble } = template({ values: { config: configWith('webhook', { url }) } });
    expect(made).toBe('');
    expect(trouble.replaceAll('\n', ' ')).toMatch(/url of oncall has what looks like a token.*say url_file/);
    expect(trouble).not.toContain(url);
  });

  it
    .skipIf(helm === undefined)
    .each([
      'http://alert-gateway.monitoring.svc:8080/api/v1/graphwarden-alerts',
      'https://hooks-for-cluster-0123456789.example.org/graph',
      '${HOOK_URL}',
    ])('is written out where it has none: %s', (url) => {
    expect(rendering({ values: { config: configWith('webhook', { url }) } }).text).toContain(url);
  });
});
