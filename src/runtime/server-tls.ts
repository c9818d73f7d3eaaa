import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Files } from '../kernel/system.ts';
import type { Finding } from '../model/problem.ts';
import type { PemSource, TlsVersion, WebTlsSettings } from '../model/web-settings.ts';

/** Options for `https.createServer` and `setSecureContext`, in the words of `node:tls`. */
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

/** Which keys of the file the PEM texts come from. */
const pemKeys = { cert: 'cert', key: 'key', clientCa: 'client_ca' } as const;

/** Reads the PEM files, proves that certificate and key belong together, and puts it in the words of `node:tls`. */
export async function readServerTls(
  settings: WebTlsSettings,
  files: Files,
): Promise<Result<ServerTls, readonly Finding[]>> {
  const findings: Finding[] = [];
  const read = async (name: keyof typeof pemKeys, pem: PemSource): Promise<string> => {
    const text = 'pem' in pem ? ok(pem.pem.reveal()) : await files.readText(pem.file);
    const complaint = text.ok ? pemComplaint(name, text.value) : text.error;
    const key = 'file' in pem ? `${pemKeys[name]}_file` : pemKeys[name];
    if (complaint !== undefined) findings.push({ path: ['tls_server_config', key], message: complaint });
    return text.ok ? text.value : '';
  };
  const cert = await read('cert', settings.cert);
  const key = await read('key', settings.key);
  const ca = settings.clientCa === undefined ? undefined : await read('clientCa', settings.clientCa);
  if (findings.length > 0) return err(findings);
  const options = inNodeWords(settings, { cert, key, ...(ca === undefined ? {} : { ca }) });
  const complaint = contextComplaint(options);
  return complaint === undefined ? ok(options) : err([{ path: ['tls_server_config'], message: complaint }]);
}

function inNodeWords(settings: WebTlsSettings, pem: Pick<ServerTls, 'cert' | 'key' | 'ca'>): ServerTls {
  return {
    ...pem,
    requestCert: settings.clientAuth !== 'NoClientCert',
    // The other types let a connection come up and are judged by `admits`.
    rejectUnauthorized: settings.clientAuth === 'RequireAndVerifyClientCert',
    minVersion: settings.minVersion,
    maxVersion: settings.maxVersion,
    ...(settings.ciphers.length === 0 ? {} : { ciphers: settings.ciphers.join(':') }),
    ...(settings.curves.length === 0 ? {} : { ecdhCurve: settings.curves.join(':') }),
    honorCipherOrder: settings.preferServerCiphers,
  };
}

/** The library's own errors may quote what they read; ours name the kind of trouble alone. */
function pemComplaint(name: keyof typeof pemKeys, pem: string): string | undefined {
  const isKey = name === 'key';
  if (succeeds(() => (isKey ? createPrivateKey(pem) : new X509Certificate(pem)))) return undefined;
  return isKey ? 'does not hold an unencrypted PEM private key' : 'does not hold a PEM certificate';
}

/** What only shows when everything is put together, as a handshake would. */
function contextComplaint(options: ServerTls): string | undefined {
  if (!new X509Certificate(options.cert).checkPrivateKey(createPrivateKey(options.key))) {
    return 'has a certificate and a key that do not belong together';
  }
  if (succeeds(() => createSecureContext(options))) return undefined;
  return 'has a combination of versions, ciphers and curves that cannot be served';
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
