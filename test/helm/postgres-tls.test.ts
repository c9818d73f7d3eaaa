import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { configFiles, helm, helmRender, renderAll, rendering, template } from './chart.ts';

const folder = '/etc/graphwarden/secrets/tls';
const withTls = (tls: object) => ({
  replicaCount: 2,
  state: { postgres: { existingSecret: 'pg', hosts: ['pg'], tls } },
});
const encrypted: readonly (readonly [tls: object, settings: object])[] = [
  [{ existingSecret: 'tls' }, { caFile: `${folder}/ca.crt` }],
  [{ caKey: '-' }, {}],
  [
    { caKey: '-', existingSecret: 'tls', certKey: 'a', keyKey: 'b' },
    { certFile: `${folder}/a`, keyFile: `${folder}/b` },
  ],
  [{ caKey: '-', serverName: 'db' }, { serverName: 'db' }],
];

describe.skipIf(helm === undefined)('the connections of the chart to PostgreSQL', () => {
  beforeAll(() => renderAll([{}, ...encrypted.map(([tls]) => tls)].map(withTls)));

  it.each(encrypted)('are encrypted with tls: %j', (tls, settings) => {
    const [file = ''] = configFiles(rendering({ values: withTls(tls) }));
    const loaded = loadConfig(file, 'graphwarden.yml', { POD_IP: '10.0.0.1' });
    expect(loaded).toMatchObject({ ok: true, value: { sharedState: { tls: settings } } });
    if (helmRender !== undefined) expect(template({ values: withTls(tls) }).notes).not.toContain('not encrypted');
  });

  it('are not encrypted without tls, which the notes state', () => {
    const values = withTls({});
    expect(configFiles(rendering({ values })).join('')).not.toContain('state_tls');
    if (helmRender !== undefined)
      expect(template({ values }).notes).toContain('The connections to PostgreSQL are not encrypted');
  });
});
