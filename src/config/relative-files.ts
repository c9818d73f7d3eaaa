import type { SecretSource } from '../kernel/secret.ts';
import type { AuthSettings, ClusterSettings, TlsSettings } from '../model/settings.ts';
import type { ReceiverSettings, ReceiverWay } from '../notify/settings.ts';
import type { TracingSettings } from '../trace/tracing-section.ts';
import type { Config } from './config.ts';

/** Resolves a path against the folder of the file that names it; absolute ones stay. */
export function besideFile(file: string, path: string): string {
  const folder = /^(?:.*[/\\])?/.exec(file)?.[0] ?? '';
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? path : folder + path;
}

/** The same configuration with every `*_file` resolved against the folder of the configuration file. */
export function anchorFiles(config: Config, file: string): Config {
  const anchor = (path: string): string => besideFile(file, path);
  return {
    ...config,
    ...(config.webConfigFile === undefined ? {} : { webConfigFile: anchor(config.webConfigFile) }),
    alerts: { ...config.alerts, receivers: config.alerts.receivers.map((one) => anchorReceiver(one, anchor)) },
    tracing: anchorTracing(config.tracing, anchor),
    clusters: config.clusters.map((cluster) => anchorCluster(cluster, anchor)),
  };
}

type Anchor = (path: string) => string;

function anchorTracing({ headersFile, ...rest }: TracingSettings, anchor: Anchor): TracingSettings {
  return { ...rest, ...(headersFile === undefined ? {} : { headersFile: anchor(headersFile) }) };
}

function anchorCluster(cluster: ClusterSettings, anchor: Anchor): ClusterSettings {
  return {
    ...cluster,
    readAuth: anchorAuth(cluster.readAuth, anchor),
    abortAuth: anchorAuth(cluster.abortAuth, anchor),
    ...(cluster.tls === undefined ? {} : { tls: anchorTls(cluster.tls, anchor) }),
  };
}

function anchorAuth(auth: AuthSettings, anchor: Anchor): AuthSettings {
  if (auth.kind === 'bearer') return { ...auth, token: anchorSource(auth.token, anchor) };
  if (auth.kind === 'basic') return { ...auth, password: anchorSource(auth.password, anchor) };
  return auth.kind === 'secret' ? { ...auth, secret: anchorSource(auth.secret, anchor) } : auth;
}

function anchorSource(source: SecretSource, anchor: Anchor): SecretSource {
  return 'file' in source ? { file: anchor(source.file) } : source;
}

function anchorReceiver(receiver: ReceiverSettings, anchor: Anchor): ReceiverSettings {
  return { ...receiver, way: anchorWay(receiver.way, anchor) };
}

function anchorWay(way: ReceiverWay, anchor: Anchor): ReceiverWay {
  if (way.kind === 'pagerduty') return { ...way, routingKey: anchorSource(way.routingKey, anchor) };
  if (way.kind === 'slack') return { ...way, webhookUrl: anchorSource(way.webhookUrl, anchor) };
  if (way.kind === 'webhook') return anchorWebhook(way, anchor);
  if (way.kind === 'email' && way.password !== undefined)
    return { ...way, password: anchorSource(way.password, anchor) };
  return way;
}

type WebhookWay = Extract<ReceiverWay, { readonly kind: 'webhook' }>;

function anchorWebhook({ url, hmacKey, ...rest }: WebhookWay, anchor: Anchor): WebhookWay {
  const key = hmacKey === undefined ? {} : { hmacKey: anchorSource(hmacKey, anchor) };
  return { ...rest, url: anchorSource(url, anchor), ...key };
}

function anchorTls({ caFile, certFile, keyFile, ...rest }: TlsSettings, anchor: Anchor): TlsSettings {
  return {
    ...rest,
    ...(caFile === undefined ? {} : { caFile: anchor(caFile) }),
    ...(certFile === undefined ? {} : { certFile: anchor(certFile) }),
    ...(keyFile === undefined ? {} : { keyFile: anchor(keyFile) }),
  };
}
