import type { SecretReader } from '../graphdb/secret-reader.ts';
import type { Digest } from '../kernel/system.ts';
import type { ReceiverEndpoint } from './settings.ts';

/** Settings that determine whom a receiver notifies. */
export interface RecipientSettings {
  /** Keys of options and secrets. */
  readonly keys: readonly string[];
  /** Parts of other options, as JSON. */
  readonly parts?: unknown;
}

/**
 * Returns a digest of the people or systems that a receiver notifies (SHA-256, hexadecimal): of its kind and the settings
 * that determine the recipient, with the current content of files. Undefined if a file is not readable.
 */
export async function recipientDigest(
  { kind, options }: Pick<ReceiverEndpoint, 'kind' | 'options'>,
  { keys, parts }: RecipientSettings,
  readers: ReadonlyMap<string, SecretReader>,
  digest: Digest,
): Promise<string | undefined> {
  const values: unknown[] = [];
  for (const key of keys) {
    const secret = await readers.get(key)?.read();
    if (secret?.ok === false) return undefined;
    values.push(secret?.value.reveal() ?? options[key] ?? '');
  }
  return digest.sha256(JSON.stringify([kind, ...values, ...(parts === undefined ? [] : [parts])]));
}
