import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the certificates are. */
export const tlsFolder = join(import.meta.dirname, '../fixtures/tls');

/** A certificate and its key from the fixtures, both PEM. */
export function keyPair(name: 'server' | 'elsewhere' | 'expired' | 'client' | 'other'): { cert: string; key: string } {
  return { cert: pem(`${name}.pem`), key: pem(`${name}.key`) };
}

/** The authority that signed all of them but `other`. */
export const authority = pem('ca.pem');

function pem(name: string): string {
  return readFileSync(join(tlsFolder, name), 'utf8');
}
