import type { SecretSource } from '../kernel/secret.ts';
import type { SharedStateSettings } from '../model/replica-database.ts';
import type { AuthSettings, ClusterSettings, TlsSettings } from '../model/settings.ts';
import type { ReceiverSettings } from '../notify/settings.ts';
import type { Config } from './config.ts';

/** Resolves a relative path against the folder of the file that contains it. */
export function resolveAgainst(file: string, path: string): string {
  const folder = /^(?:.*[/\\])?/.exec(file)?.[0] ?? '';
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? path : folder + path;
}

/** Resolves each `*_file` of a configuration against the folder of its file. */
export function resolveFiles(config: Config, file: string): Config {
  const resolve = (path: string): string => resolveAgainst(file, path);
  return {
    ...config,
    ...(config.webConfigFile === undefined ? {} : { webConfigFile: resolve(config.webConfigFile) }),
    ...(config.sharedState === undefined ? {} : { sharedState: resolveSharedState(config.sharedState, resolve) }),
    alerts: { ...config.alerts, receivers: config.alerts.receivers.map((one) => resolveReceiver(one, resolve)) },
    telemetry: {
      traces: resolveHeaders(config.telemetry.traces, resolve),
      metrics: resolveHeaders(config.telemetry.metrics, resolve),
    },
    clusters: config.clusters.map((cluster) => resolveCluster(cluster, resolve)),
  };
}

type ResolvePath = (path: string) => string;

function resolveHeaders<Settings extends { readonly headersFile?: string }>(
  settings: Settings,
  resolve: ResolvePath,
): Settings {
  const { headersFile } = settings;
  return headersFile === undefined ? settings : { ...settings, headersFile: resolve(headersFile) };
}

function resolveCluster(cluster: ClusterSettings, resolve: ResolvePath): ClusterSettings {
  return {
    ...cluster,
    readAuth: resolveAuth(cluster.readAuth, resolve),
    abortAuth: resolveAuth(cluster.abortAuth, resolve),
    informantAuth: resolveAuth(cluster.informantAuth, resolve),
    ...(cluster.tls === undefined ? {} : { tls: resolveTls(cluster.tls, resolve) }),
    ...(cluster.statementsFile === undefined ? {} : { statementsFile: resolve(cluster.statementsFile) }),
  };
}

function resolveAuth(auth: AuthSettings, resolve: ResolvePath): AuthSettings {
  if (auth.kind === 'bearer') return { ...auth, token: resolveSecretSource(auth.token, resolve) };
  if (auth.kind === 'basic') return { ...auth, password: resolveSecretSource(auth.password, resolve) };
  return auth.kind === 'secret' ? { ...auth, secret: resolveSecretSource(auth.secret, resolve) } : auth;
}

function resolveSecretSource(source: SecretSource, resolve: ResolvePath): SecretSource {
  return 'file' in source ? { file: resolve(source.file) } : source;
}

function resolveReceiver(receiver: ReceiverSettings, resolve: ResolvePath): ReceiverSettings {
  const secrets = Object.entries(receiver.secrets).map(([name, source]) => [
    name,
    resolveSecretSource(source, resolve),
  ]);
  const { http } = receiver;
  const tls = http?.tls === undefined ? {} : { tls: resolveTls(http.tls, resolve) };
  return {
    ...receiver,
    secrets: Object.fromEntries(secrets),
    ...(http === undefined ? {} : { http: { ...http, ...tls } }),
  };
}

function resolveSharedState(
  { passwordFile, tls, ...rest }: SharedStateSettings,
  resolve: ResolvePath,
): SharedStateSettings {
  return {
    ...rest,
    ...(passwordFile === undefined ? {} : { passwordFile: resolve(passwordFile) }),
    ...(tls === undefined ? {} : { tls: resolveTls(tls, resolve) }),
  };
}

function resolveTls({ caFile, certFile, keyFile, ...rest }: TlsSettings, resolve: ResolvePath): TlsSettings {
  return {
    ...rest,
    ...(caFile === undefined ? {} : { caFile: resolve(caFile) }),
    ...(certFile === undefined ? {} : { certFile: resolve(certFile) }),
    ...(keyFile === undefined ? {} : { keyFile: resolve(keyFile) }),
  };
}
