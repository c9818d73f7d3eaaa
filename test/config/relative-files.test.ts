import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { anchorFiles, besideFile } from '../../src/config/relative-files.ts';
import { guardSection } from '../../src/guard/section.ts';
import { Secret, type SecretSource } from '../../src/kernel/secret.ts';
import type { AuthSettings, ClusterSettings } from '../../src/model/settings.ts';
import type { ReceiverWay } from '../../src/notify/settings.ts';

function cluster(readAuth: AuthSettings, tls?: ClusterSettings['tls']): ClusterSettings {
  return {
    name: 'prod',
    labels: {},
    nodes: [],
    readAuth,
    abortAuth: readAuth,
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
    operators: [],
    stateDir: './state',
    scope: 'all',
    log: { level: 'info', format: 'auto' },
    clusters,
    collectors: {},
    state: { retention: { transitions: 1, audit: 1, notifications: 1, size: 1 } },
    alerts: { receivers: [], routes: [], maintenance: [], rules: {}, templates: {} },
    guard: guardSection.parse({}),
    tracing: { queries: true, incidents: true, cycles: true },
    tracker: { confirm: 2, hold: 0, forget: 1, flapping: { window: 21, on: 0.3, off: 0.25 } },
    limits: { seriesPerFamily: 1, seriesPerCollector: 1, seriesPerPage: 1, labelValueBytes: 1, body: 1 },
  };
}

function mail(password: SecretSource): ReceiverWay {
  return { kind: 'email', host: 'h', port: 25, secure: false, username: 'u', password, from: 'a@b', to: ['c@d'] };
}

describe('besideFile', () => {
  it.each([
    ['/etc/gw/main.yml', 'token', '/etc/gw/token'],
    ['/etc/gw/main.yml', 'keys/token', '/etc/gw/keys/token'],
    ['/etc/gw/main.yml', '/run/token', '/run/token'],
    ['main.yml', 'token', 'token'],
    ['./main.yml', 'token', './token'],
    ['../conf/main.yml', '../token', '../conf/../token'],
    ['C:\\gw\\main.yml', 'token', 'C:\\gw\\token'],
    ['C:\\gw\\main.yml', 'D:\\token', 'D:\\token'],
  ])('beside %s, %s is %s', (file, path, resolved) => {
    expect(besideFile(file, path)).toBe(resolved);
  });
});

describe('anchorFiles', () => {
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
    const [anchored] = anchorFiles(config([cluster(given)]), 'conf/main.yml').clusters;
    expect(anchored?.readAuth).toEqual(expected);
    expect(anchored?.abortAuth).toEqual(expected);
  });

  it('leaves inline secrets alone', () => {
    const token = { value: new Secret('t') };
    const [anchored] = anchorFiles(config([cluster({ kind: 'bearer', token })]), 'conf/main.yml').clusters;
    expect(anchored?.readAuth).toEqual({ kind: 'bearer', token });
  });

  it('anchors the web config file and the TLS files, and not the state', () => {
    const tls = { caFile: 'ca', certFile: '/c', keyFile: 'k', insecureSkipVerify: false };
    const anchored = anchorFiles(config([cluster({ kind: 'none' }, tls)], 'web.yml'), 'conf/main.yml');
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
  it.each<[ReceiverWay, ReceiverWay]>([
    [
      { kind: 'pagerduty', url: 'u', routingKey: { file: 'k' } },
      { kind: 'pagerduty', url: 'u', routingKey: { file: 'conf/k' } },
    ],
    [
      { kind: 'slack', webhookUrl: { file: '/s' } },
      { kind: 'slack', webhookUrl: { file: '/s' } },
    ],
    [
      { kind: 'webhook', url: { file: 'u' }, hmacKey: { file: 'h' } },
      { kind: 'webhook', url: { file: 'conf/u' }, hmacKey: { file: 'conf/h' } },
    ],
    [
      { kind: 'webhook', url: { file: '/u' } },
      { kind: 'webhook', url: { file: '/u' } },
    ],
    [
      { kind: 'alertmanager', urls: ['u'] },
      { kind: 'alertmanager', urls: ['u'] },
    ],
    [mail({ file: 'p' }), mail({ file: 'conf/p' })],
  ])('are anchored: %j', (way, expected) => {
    const receivers = [{ name: 'r', heartbeat: true, way }];
    const given = config([]);
    const { alerts } = anchorFiles({ ...given, alerts: { ...given.alerts, receivers } }, 'conf/main.yml');
    expect(alerts).toEqual({ ...given.alerts, receivers: [{ name: 'r', heartbeat: true, way: expected }] });
  });
});
