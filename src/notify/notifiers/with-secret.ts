import type { SecretReader } from '../../graphdb/secret-reader.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Answer } from '../notifier.ts';

/**
 * One attempt with the secret as it is; where it is of no use, one more if its file says something else by now: a
 * change within the same tick of the file system's clock shows in no other way.
 */
export async function withSecret(reader: SecretReader, attempt: (secret: Secret) => Promise<Answer>): Promise<Answer> {
  const secret = await reader.read();
  if (!secret.ok) return { kind: 'broken', message: secret.error.message };
  const answer = await attempt(secret.value);
  if (answer.kind !== 'broken' || !(await reader.differsFrom(secret.value))) return answer;
  const fresh = await reader.read();
  return fresh.ok ? await attempt(fresh.value) : answer;
}
