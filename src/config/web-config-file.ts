import { mapResult, type Result } from '../kernel/result.ts';
import type { ConfigProblem, UnlocatedProblem } from '../model/config-problem.ts';
import type { LoadedWebSettings, PemSource, WebSettings, WebTlsSettings } from '../model/web-settings.ts';
import { validate } from './problems.ts';
import { resolveAgainst } from './resolve-files.ts';
import { webConfigSchema } from './web-config-schema.ts';
import { readYaml } from './yaml-source.ts';

const knownKeys = { rate_limit: 'not supported; limit requests in a reverse proxy' };

/**
 * Parses and validates a web config file in exporter-toolkit format. An empty file is valid. Its paths are resolved
 * against its own folder; references to the environment are not part of the format.
 */
export function readWebConfig(text: string, file: string): Result<LoadedWebSettings, readonly ConfigProblem[]> {
  const source = readYaml(text, file);
  const checks = { known: knownKeys, mayBeEmpty: true, across: checkHttp2 };
  return mapResult(validate(source, webConfigSchema, checks), (settings) => ({
    settings: resolvePemFiles(settings, file),
    locate: source.locate,
  }));
}

const http2Ciphers = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];

/** Reports cipher suites without one that HTTP/2 requires: other exporters that use the same file refuse them. */
function checkHttp2(value: unknown): readonly UnlocatedProblem[] {
  const tls = ownProperty(value, 'tls_server_config');
  const suites = ownProperty(tls, 'cipher_suites');
  const isOff =
    ownProperty(ownProperty(value, 'http_server_config'), 'http2') === false ||
    ownProperty(tls, 'min_version') === 'TLS13';
  if (!Array.isArray(suites) || suites.length === 0 || isOff) return [];
  if (suites.some((suite) => http2Ciphers.includes(String(suite)))) return [];
  const message = `must contain a cipher that HTTP/2 requires; add ${http2Ciphers[0]}, or set http2 to false`;
  return [{ path: ['tls_server_config', 'cipher_suites'], message }];
}

function ownProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

function resolvePemFiles(settings: WebSettings, file: string): WebSettings {
  if (settings.tls === undefined) return settings;
  const resolve = (pem: PemSource): PemSource => ('file' in pem ? { file: resolveAgainst(file, pem.file) } : pem);
  const { cert, key, clientCa, ...rest } = settings.tls;
  const tls: WebTlsSettings = {
    ...rest,
    cert: resolve(cert),
    key: resolve(key),
    ...(clientCa === undefined ? {} : { clientCa: resolve(clientCa) }),
  };
  return { ...settings, tls };
}
