import { createHash, createHmac } from 'node:crypto';
import type { Digest } from '../../src/kernel/system.ts';

/** Checksums as in `runtime`, without an import of the modules that open sockets. */
export const digest: Digest = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};
