import type { SecretReader } from '../graphdb/secret-reader.ts';
import type { Secret } from '../kernel/secret.ts';
import type { ReceiverResponse } from './notifier.ts';

/** Reads every secret and makes one attempt with their current values. */
export async function withSecrets(
  readers: ReadonlyMap<string, SecretReader>,
  attempt: (secrets: Readonly<Record<string, Secret>>) => Promise<ReceiverResponse>,
): Promise<ReceiverResponse> {
  const [first, ...others] = readers;
  if (first === undefined) return await attempt({});
  const [name, reader] = first;
  return await withSecret(reader, (secret) =>
    withSecrets(new Map(others), (further) => attempt({ [name]: secret, ...further })),
  );
}

/**
 * Makes one attempt with the current secret. If the receiver rejects it, reads the file again and makes a second attempt
 * if the secret differs: a change within one tick of the file system's clock is not visible in any other way.
 */
async function withSecret(
  reader: SecretReader,
  attempt: (secret: Secret) => Promise<ReceiverResponse>,
): Promise<ReceiverResponse> {
  const secret = await reader.read();
  if (!secret.ok) return { kind: 'broken', message: secret.error.message };
  const response = await attempt(secret.value);
  if (response.kind !== 'broken' || !(await reader.differsFrom(secret.value))) return response;
  const changed = await reader.read();
  return changed.ok ? await attempt(changed.value) : response;
}

/** Returns why a secret is not a usable http or https address; undefined if it is one. The message does not repeat it. */
export function secretUrlProblem(secret: Secret): string | undefined {
  const url = URL.parse(secret.reveal().trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return 'the secret is not an address that begins with https://';
  const hasCredentials = url.username !== '' || url.password !== '';
  return hasCredentials ? 'the address contains a user or a password' : undefined;
}
