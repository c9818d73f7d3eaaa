import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { UnlocatedProblem } from '../model/config-problem.ts';
import type { PemSource, TlsVersion, WebTlsSettings } from '../model/web-settings.ts';

/** Result of the TLS handshake for the client's certificate. */
export interface ClientCertificate {
  readonly presented: boolean;
  /** Whether the certificate chain ends in one of the client CAs. */
  readonly authorized: boolean;
  /** `subjectaltname` of the peer certificate (`DNS:a, IP Address:10.0.0.1`). */
  readonly alternativeNames: string;
}

/** Returns whether a client's certificate, or its absence, satisfies `client_auth_type` and `client_allowed_sans`. */
export function isClientAllowed(tls: WebTlsSettings, client: ClientCertificate): boolean {
  switch (tls.clientAuth) {
    case 'NoClientCert':
    case 'RequestClientCert':
      break;
    case 'RequireAnyClientCert':
      if (!client.presented) return false;
      break;
    case 'VerifyClientCertIfGiven':
      if (client.presented && !client.authorized) return false;
      break;
    case 'RequireAndVerifyClientCert':
      if (!client.presented || !client.authorized) return false;
      break;
  }
  if (tls.clientAllowedSans.length === 0 || !client.presented) return true;
  return subjectAltNamesOf(client.alternativeNames).some((name) => tls.clientAllowedSans.includes(name));
}

/**
 * Returns the names in `DNS:a, IP Address:10.0.0.1, email:x@y, URI:spiffe://z` without their kinds; none if an entry is quoted,
 * because it could contain a comma.
 */
function subjectAltNamesOf(alternativeNames: string): readonly string[] {
  if (alternativeNames.includes('"')) return [];
  return alternativeNames.split(', ').map((entry) => entry.replace(/^[A-Za-z ]+:/, ''));
}

/** Options for `https.createServer` and `setSecureContext`, named as in `node:tls`. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion;
  readonly ciphers?: string;
  readonly ecdhCurve?: string;
  readonly honorCipherOrder: boolean;
}

/** Keys of the file that contain the PEM texts. */
const pemKeys = { cert: 'cert', key: 'key', clientCa: 'client_ca' } as const;

/** Reads the PEM files, checks that certificate and key belong together, and returns the options of `node:tls`. */
export async function readServerTls(
  settings: WebTlsSettings,
  files: Files,
): Promise<Result<ServerTls, readonly UnlocatedProblem[]>> {
  const problems: UnlocatedProblem[] = [];
  const read = async (name: keyof typeof pemKeys, pem: PemSource): Promise<string> => {
    const text = 'pem' in pem ? ok(pem.pem.reveal()) : await files.readText(pem.file);
    const problem = text.ok ? pemProblem(name, text.value) : text.error;
    const key = 'file' in pem ? `${pemKeys[name]}_file` : pemKeys[name];
    if (problem !== undefined) problems.push({ path: ['tls_server_config', key], message: problem });
    return text.ok ? text.value : '';
  };
  const cert = await read('cert', settings.cert);
  const key = await read('key', settings.key);
  const ca = settings.clientCa === undefined ? undefined : await read('clientCa', settings.clientCa);
  if (problems.length > 0) return err(problems);
  const options = serverTlsOptions(settings, { cert, key, ...(ca === undefined ? {} : { ca }) });
  const problem = contextProblem(options);
  return problem === undefined ? ok(options) : err([{ path: ['tls_server_config'], message: problem }]);
}

function serverTlsOptions(settings: WebTlsSettings, pem: Pick<ServerTls, 'cert' | 'key' | 'ca'>): ServerTls {
  return {
    ...pem,
    requestCert: settings.clientAuth !== 'NoClientCert',
    // The other types accept the connection, and `isClientAllowed` checks the certificate after the handshake.
    rejectUnauthorized: settings.clientAuth === 'RequireAndVerifyClientCert',
    minVersion: settings.minVersion,
    maxVersion: settings.maxVersion,
    ...(settings.ciphers.length === 0 ? {} : { ciphers: settings.ciphers.join(':') }),
    ...(settings.curves.length === 0 ? {} : { ecdhCurve: settings.curves.join(':') }),
    honorCipherOrder: settings.preferServerCiphers,
  };
}

/** Returns a message without the text of the library's error, which may quote the file. */
function pemProblem(name: keyof typeof pemKeys, pem: string): string | undefined {
  const isKey = name === 'key';
  if (succeeds(() => (isKey ? createPrivateKey(pem) : new X509Certificate(pem)))) return undefined;
  return isKey ? 'does not contain an unencrypted PEM private key' : 'does not contain a PEM certificate';
}

/** Returns the problem that only the combination of all files shows, as in a handshake. */
function contextProblem(options: ServerTls): string | undefined {
  if (!new X509Certificate(options.cert).checkPrivateKey(createPrivateKey(options.key))) {
    return 'has a certificate and a key that do not match';
  }
  if (succeeds(() => createSecureContext(options))) return undefined;
  return 'has an unsupported combination of versions, ciphers and curves';
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
