import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder with the certificates of the fixtures. */
export const tlsFolder = join(import.meta.dirname, '../fixtures/tls');

/** Returns a certificate and its key from the fixtures, both PEM. */
export function keyPair(name: 'server' | 'elsewhere' | 'expired' | 'client' | 'other'): { cert: string; key: string } {
  return { cert: pem(`${name}.pem`), key: pem(`${name}.key`) };
}

/** CA certificate (PEM) that signed all of them except `other`. */
export const authority = pem('ca.pem');

function pem(name: string): string {
  return readFileSync(join(tlsFolder, name), 'utf8');
}
