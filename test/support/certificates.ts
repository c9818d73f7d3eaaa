import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireTool } from './tools.ts';

/** A certificate with its key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Creates a self-signed certificate for `localhost` and 127.0.0.1 that is valid for a day. */
export function selfSigned(commonName: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const names = ['-subj', `/CN=${commonName}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync(requireTool('openssl'), ['req', '-x509', ...curve, ...names, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}
