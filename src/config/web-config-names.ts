import type { TlsVersion } from '../model/web-settings.ts';

/** TLS versions by the names of the file, with the names of OpenSSL. */
export const tlsVersions: ReadonlyMap<string, TlsVersion> = new Map([
  ['TLS10', 'TLSv1'],
  ['TLS11', 'TLSv1.1'],
  ['TLS12', 'TLSv1.2'],
  ['TLS13', 'TLSv1.3'],
]);

/** Cipher suites by their standard names, with the names of OpenSSL. */
export const cipherSuites: ReadonlyMap<string, string> = new Map([
  ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
]);

/** Curves by the names of the file, with the names of OpenSSL. */
export const curves: ReadonlyMap<string, string> = new Map([
  ['CurveP256', 'prime256v1'],
  ['CurveP384', 'secp384r1'],
  ['CurveP521', 'secp521r1'],
  ['X25519', 'X25519'],
  ['X25519MLKEM768', 'X25519MLKEM768'],
]);

/** Response headers that can be set, with the accepted values; empty for any value. */
export const responseHeaders: Readonly<Record<string, readonly string[]>> = {
  'Content-Security-Policy': [],
  'X-Frame-Options': ['deny', 'sameorigin'],
  'X-Content-Type-Options': ['nosniff'],
  'X-XSS-Protection': [],
  'Strict-Transport-Security': [],
};
