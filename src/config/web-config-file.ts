import { map, type Result } from '../kernel/result.ts';
import type { Finding, Problem } from '../model/problem.ts';
import type { PemSource, ReadWebSettings, WebSettings, WebTlsSettings } from '../model/web-settings.ts';
import { validate } from './problems.ts';
import { besideFile } from './relative-files.ts';
import { webConfigSchema } from './web-config-schema.ts';
import { readYaml } from './yaml-source.ts';

const known = { rate_limit: 'not supported here: limit requests in a proxy in front' };

/**
 * Reads a web config file in the exporter-toolkit's format. An empty one turns nothing on. Its file names are
 * resolved against its own folder; references to the environment are not part of the format.
 */
export function readWebConfig(text: string, file: string): Result<ReadWebSettings, readonly Problem[]> {
  const source = readYaml(text, file);
  const checks = { known, mayBeEmpty: true, across: checkHttp2 };
  return map(validate(source, webConfigSchema, checks), (settings) => ({
    settings: anchored(settings, file),
    locate: source.locate,
  }));
}

const http2Ciphers = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];

/** The other exporters that share the file refuse it when HTTP/2 is on without a cipher that HTTP/2 demands. */
function checkHttp2(value: unknown): readonly Finding[] {
  const tls = at(value, 'tls_server_config');
  const suites = at(tls, 'cipher_suites');
  const isOff = at(at(value, 'http_server_config'), 'http2') === false || at(tls, 'min_version') === 'TLS13';
  if (!Array.isArray(suites) || suites.length === 0 || isOff) return [];
  if (suites.some((suite) => http2Ciphers.includes(String(suite)))) return [];
  const hint = `add ${http2Ciphers[0]}, or set http2 to false`;
  return [{ path: ['tls_server_config', 'cipher_suites'], message: 'has no cipher that HTTP/2 demands', hint }];
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

function anchored(settings: WebSettings, file: string): WebSettings {
  if (settings.tls === undefined) return settings;
  const anchor = (pem: PemSource): PemSource => ('file' in pem ? { file: besideFile(file, pem.file) } : pem);
  const { cert, key, clientCa, ...rest } = settings.tls;
  const tls: WebTlsSettings = {
    ...rest,
    cert: anchor(cert),
    key: anchor(key),
    ...(clientCa === undefined ? {} : { clientCa: anchor(clientCa) }),
  };
  return { ...settings, tls };
}
