import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { DEFAULT_CIPHERS } from 'node:tls';
import type { TlsMaterial } from '../kernel/http.ts';
import { formatTimestamp } from '../kernel/timestamp.ts';

/** TLS options named as in `node:tls`, without the server name. */
export interface NodeTlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly ciphers: string;
  readonly rejectUnauthorized: boolean;
}

/**
 * Without DHE: the server chooses the parameters of this key exchange before its certificate is checked, and a hostile server
 * could block the event loop for 0.7 s with each handshake.
 */
const ciphers = `${DEFAULT_CIPHERS}:!DHE`;

/** Returns the TLS options of a client. */
export function nodeTlsOptions({ ca, cert, key, insecureSkipVerify, fingerprint }: TlsMaterial): NodeTlsOptions {
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ciphers,
    // The fingerprint is checked once the connection is open.
    rejectUnauthorized: insecureSkipVerify !== true && fingerprint === undefined,
  };
}

/**
 * Returns what is wrong with the CA file, the client certificate or its key: the cause of a failed handshake; undefined if
 * nothing is. `now` is wall time, ms since the epoch. The sentence contains nothing of the files but a date.
 */
export function tlsMaterialProblem({ ca, cert, key }: TlsMaterial, now: number): string | undefined {
  const problem = ca === undefined ? undefined : authorityProblem(ca, now);
  return problem ?? (cert === undefined || key === undefined ? undefined : clientProblem(cert, key, now));
}

function authorityProblem(pem: string, now: number): string | undefined {
  const authorities = certificatesIn(pem);
  if (authorities.length === 0) return 'ca_file contains no PEM certificate';
  const expired = authorities.filter(({ validToDate }) => validToDate.getTime() <= now);
  const [first] = expired;
  if (first === undefined || expired.length < authorities.length) return undefined;
  return `the certificate in ca_file expired at ${formatTimestamp(first.validToDate.getTime())}; replace the file`;
}

function clientProblem(pem: string, key: string, now: number): string | undefined {
  const [certificate] = certificatesIn(pem);
  if (certificate === undefined) return 'cert_file contains no PEM certificate';
  const privateKey = privateKeyIn(key);
  if (privateKey === undefined) return 'key_file contains no unencrypted PEM private key';
  if (!certificate.checkPrivateKey(privateKey))
    return 'the key in key_file does not belong to the certificate in cert_file';
  const expiry = certificate.validToDate.getTime();
  if (expiry > now) return undefined;
  return `the client certificate in cert_file expired at ${formatTimestamp(expiry)}; replace the file`;
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
