import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { resolveAgainst, resolveFiles } from '../../src/config/resolve-files.ts';
import { guardSection } from '../../src/guard/guard-section.ts';
import { Secret, type SecretSource } from '../../src/kernel/secret.ts';
import type { AuthSettings, ClusterSettings } from '../../src/model/settings.ts';
import { receivers } from '../../src/notify/receivers/all.ts';
import { openAccess } from '../support/open-access.ts';

function cluster(readAuth: AuthSettings, tls?: ClusterSettings['tls']): ClusterSettings {
  return {
    name: 'prod',
    labels: {},
    nodes: [],
    readAuth,
    abortAuth: readAuth,
    informantAuth: readAuth,
    ...(tls === undefined ? {} : { tls }),
    graphs: 'auto',
    serverVersion: 'auto',
    metricPrefix: 'auto',
  };
}
function config(clusters: readonly ClusterSettings[], webConfigFile?: string): Config {
  return {
    listen: { host: '', port: 0 },
    ...(webConfigFile === undefined ? {} : { webConfigFile }),
    ...openAccess,
    unreadyOnRejectedConfig: false,
    stateDir: './state',
    scope: 'all',
    log: { level: 'info', format: 'auto' },
    clusters,
    collectors: {},
    custom: [],
    probes: [],
    state: { retention: { transitions: 1, audit: 1, notifications: 1, size: 1 } },
    alerts: { receivers: [], routes: [], maintenance: [], rules: {}, templates: {} },
    guard: guardSection.parse({}),
    telemetry: { traces: { queries: true, incidents: true, cycles: true }, metrics: {} },
    tracker: { confirm: 2, confirmFor: 0, forget: 1, flapping: { window: 21, on: 0.3, off: 0.25, changes: 8 } },
    limits: {
      seriesPerFamily: 1,
      seriesPerCollector: 1,
      seriesPerPage: 1,
      labelValueBytes: 1,
      instanceNumber: 1000,
      body: 1,
    },
  };
}

describe('resolveAgainst', () => {
  it.each([
    ['/etc/gw/main.yml', 'token', '/etc/gw/token'],
    ['/etc/gw/main.yml', 'keys/token', '/etc/gw/keys/token'],
    ['/etc/gw/main.yml', '/run/token', '/run/token'],
    ['main.yml', 'token', 'token'],
    ['./main.yml', 'token', './token'],
    ['../conf/main.yml', '../token', '../conf/../token'],
    ['C:\\gw\\main.yml', 'token', 'C:\\gw\\token'],
    ['C:\\gw\\main.yml', 'D:\\token', 'D:\\token'],
  ])('relative to %s, %s is %s', (file, path, resolved) => {
    expect(resolveAgainst(file, path)).toBe(resolved);
  });
});

describe('resolveFiles', () => {
  it.each<[AuthSettings, AuthSettings]>([
    [{ kind: 'none' }, { kind: 'none' }],
    [
      { kind: 'bearer', token: { file: 't' } },
      { kind: 'bearer', token: { file: 'conf/t' } },
    ],
    [
      { kind: 'secret', secret: { file: 's' } },
      { kind: 'secret', secret: { file: 'conf/s' } },
    ],
    [
      { kind: 'basic', username: 'u', password: { file: 'p' } },
      { kind: 'basic', username: 'u', password: { file: 'conf/p' } },
    ],
  ])('anchors the files of %j', (given, expected) => {
    const [anchored] = resolveFiles(config([cluster(given)]), 'conf/main.yml').clusters;
    expect(anchored?.readAuth).toEqual(expected);
    expect(anchored?.abortAuth).toEqual(expected);
    expect(anchored?.informantAuth).toEqual(expected);
  });

  it('does not change inline secrets', () => {
    const token = { value: new Secret('t') };
    const [anchored] = resolveFiles(config([cluster({ kind: 'bearer', token })]), 'conf/main.yml').clusters;
    expect(anchored?.readAuth).toEqual({ kind: 'bearer', token });
  });

  it('anchors the web config file and the TLS files, and not the state', () => {
    const tls = { caFile: 'ca', certFile: '/c', keyFile: 'k', insecureSkipVerify: false };
    const settings = { ...cluster({ kind: 'none' }, tls), statementsFile: 's.txt' };
    const anchored = resolveFiles(config([settings], 'web.yml'), 'conf/main.yml');
    expect(anchored.clusters[0]?.statementsFile).toBe('conf/s.txt');
    expect(anchored.webConfigFile).toBe('conf/web.yml');
    expect(anchored.stateDir).toBe('./state');
    expect(anchored.clusters[0]?.tls).toEqual({
      caFile: 'conf/ca',
      certFile: '/c',
      keyFile: 'conf/k',
      insecureSkipVerify: false,
    });
  });
});

describe('the files of receivers', () => {
  it.each<[SecretSource, SecretSource]>([
    [{ file: 'k' }, { file: 'conf/k' }],
    [{ file: '/k' }, { file: '/k' }],
    [{ value: new Secret('s') }, { value: new Secret('s') }],
  ])('are anchored for each secret of each kind: %j', (source, expected) => {
    const given = config([]);
    const alerts = { ...given.alerts, receivers: receiversWith(source) };
    expect(resolveFiles({ ...given, alerts }, 'conf/main.yml').alerts).toEqual({
      ...given.alerts,
      receivers: receiversWith(expected),
    });
  });

  it('are anchored for the TLS files of a receiver', () => {
    const given = config([]);
    const [receiver] = receiversWith({ file: '/k' });
    const tls = { caFile: 'ca', insecureSkipVerify: false };
    const moved = receiver === undefined ? [] : [{ ...receiver, http: { tls, headers: {} } }];
    const resolved = resolveFiles({ ...given, alerts: { ...given.alerts, receivers: moved } }, 'conf/main.yml');
    expect(resolved.alerts.receivers[0]?.http?.tls).toEqual({ caFile: 'conf/ca', insecureSkipVerify: false });
  });
});

function receiversWith(secret: SecretSource) {
  return receivers.map(({ kind, secrets }) => ({
    name: kind,
    heartbeat: true,
    kind,
    options: { url: 'u' },
    secrets: Object.fromEntries(Object.keys(secrets).map((name) => [name, secret])),
  }));
}
