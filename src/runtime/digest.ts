import { createHash, createHmac } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';

/** The checksums of the platform. */
export const digest: Digest = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};
