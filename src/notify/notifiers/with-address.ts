import type { SecretReader } from '../../graphdb/secret-reader.ts';
import type { Answer } from '../notifier.ts';
import { withSecret } from './with-secret.ts';

/** One attempt at an address that is a secret as a whole, as it is now, or none where it is no address. */
export async function withAddress(
  reader: SecretReader,
  attempt: (address: string) => Promise<Answer>,
): Promise<Answer> {
  return await withSecret(reader, async (secret) => {
    const address = secret.reveal().trim();
    const message = complaint(URL.parse(address));
    return message === undefined ? await attempt(address) : { kind: 'broken', message };
  });
}

function complaint(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) return 'the secret is no address that begins with https://';
  const isNamed = url.username !== '' || url.password !== '';
  return isNamed ? 'the address holds a user or a password, which nobody would be shown' : undefined;
}
