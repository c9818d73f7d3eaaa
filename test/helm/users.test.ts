import bcrypt from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readWebConfig } from '../../src/config/web-config-file.ts';
import { renderedWithSecret } from './api-server.ts';
import { daemonConfig, daemonPod, helm, type Manifest, type Rendering, rendering, secretContent } from './chart.ts';

const users = z.object({ basic_auth_users: z.record(z.string(), z.string()) });
const values = {
  mode: 'sidecar',
  clusters: [{ name: 'prod', podLabels: { app: 'graph' } }],
  podMonitor: { enabled: true, namespace: 'monitoring' },
  serviceMonitor: { enabled: true },
};

function secretsOf(made: Rendering, name: string): readonly Manifest[] {
  return made.objects.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name === name);
}

describe.skipIf(helm === undefined)('the users that the chart creates', () => {
  const made = helm === undefined ? undefined : rendering({ values });
  if (made === undefined) return;
  const [secret] = secretsOf(made, 'x-graphwarden-users');
  const content = secretContent(secret);
  const scrapers = secretsOf(made, 'x-graphwarden-scraper');

  it('have random passwords, whose hashes are in the web config files of the daemon and the sidecars', async () => {
    const { data: sidecar } = made.one('ConfigMap', 'x-graphwarden-prod');
    const files = [content['web.yml'] ?? '', sidecar?.['web.yml'] ?? ''];
    const [own, other] = files.map((text) => users.parse(parse(text)).basic_auth_users);
    expect(Object.keys(own ?? {})).toEqual(['graphwarden', 'prometheus']);
    expect(other).toEqual({ prometheus: own?.prometheus });
    for (const text of files) expect(readWebConfig(text, 'web.yml').ok).toBe(true);
    for (const [user, hash] of Object.entries(own ?? {})) {
      expect(content[user]).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(await bcrypt.compare(content[user] ?? '', hash)).toBe(true);
    }
  });

  it('are in the Secrets of the monitors, in their namespaces', () => {
    expect(scrapers.map(({ metadata }) => metadata.namespace)).toEqual(['db', 'monitoring']);
    for (const scraper of scrapers) {
      expect(secretContent(scraper)).toEqual({ username: 'prometheus', password: content.prometheus });
    }
    const basicAuth = {
      username: { name: 'x-graphwarden-scraper', key: 'username' },
      password: { name: 'x-graphwarden-scraper', key: 'password' },
    };
    expect(made.one('PodMonitor').spec).toMatchObject({ podMetricsEndpoints: [{ basicAuth }] });
    expect(made.one('ServiceMonitor').spec).toMatchObject({ endpoints: [{ basicAuth }] });
  });

  it('restrict Prometheus to the metrics', () => {
    expect(daemonConfig(made)).toMatchObject({
      scrapers: ['prometheus'],
      web_config_file: '/etc/graphwarden/web/web.yml',
    });
  });

  it('have no passwords in the pod', () => {
    const items = [{ key: 'web.yml', path: 'web.yml' }];
    const volume = { name: 'web', secret: { secretName: 'x-graphwarden-users', defaultMode: 0o440, items } };
    expect(daemonPod(made).pod.volumes).toContainEqual(volume);
  });

  it('keep their passwords on an upgrade', async () => {
    const after = await renderedWithSecret('x-graphwarden-users', secret?.data);
    const [kept, scraper] = ['users', 'scraper'].map((name) =>
      after.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === `x-graphwarden-${name}`),
    );
    expect(kept?.data).toEqual(secret?.data);
    expect(secretContent(scraper).password).toBe(content.prometheus);
  });

  it.each<readonly [string, object]>([
    ['not wanted', { web: { createUsers: false } }],
    ['users of your own', { web: { existingSecret: 'mine' } }],
    ['a file of your own', { existingConfigMap: { name: 'mine' } }],
    ['loopback', { listenAddress: '127.0.0.1', extraContainers: [{ name: 'proxy', image: 'p' }] }],
  ])('are absent with %s', (_, other) => {
    const without = rendering({ values: other });
    expect(without.has('Secret')).toBe(false);
    expect(without.text).not.toContain('prometheus');
  });
});
