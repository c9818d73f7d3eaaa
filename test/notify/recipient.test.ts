import { expect, it } from 'vitest';
import { createSecretReader } from '../../src/graphdb/secret-reader.ts';
import { Secret, type SecretSource } from '../../src/kernel/secret.ts';
import { recipientDigest } from '../../src/notify/recipient.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { FakeFiles } from '../support/fake-files.ts';

interface Given {
  readonly kind?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, SecretSource>>;
  readonly parts?: unknown;
}

const options = { channel: 'oncall', url: 'https://slack.example.org' };
const secrets = { token: { value: new Secret('a') }, key: { file: 'key' } };

function digestOf(given: Given): Promise<string | undefined> {
  const files = new FakeFiles();
  files.write('key', 'r-123');
  files.write('moved', 'r-123\n');
  files.write('other', 'r-456');
  const readers = new Map(
    Object.entries(given.secrets ?? secrets).map(([name, source]) => [name, createSecretReader(source, files)]),
  );
  const endpoint = { kind: given.kind ?? 'slack_bot', options: given.options ?? options };
  return recipientDigest(endpoint, { keys: ['channel', 'key', 'absent'], parts: given.parts }, readers, digest);
}

it.each<[string, Given, 'equal' | 'different']>([
  ['nothing', {}, 'equal'],
  ['an option that determines the recipient', { options: { ...options, channel: 'other' } }, 'different'],
  ['another option', { options: { ...options, url: 'https://proxy.example.org' } }, 'equal'],
  ['the content of a file', { secrets: { ...secrets, key: { file: 'other' } } }, 'different'],
  ['the name of a file with the same content', { secrets: { ...secrets, key: { file: 'moved' } } }, 'equal'],
  ['a value in the place of the file', { secrets: { key: { value: new Secret('r-123') } } }, 'equal'],
  ['another secret', { secrets: { ...secrets, token: { value: new Secret('b') } } }, 'equal'],
  ['the kind', { kind: 'slack' }, 'different'],
  ['a part of another option', { parts: { chat_id: 1 } }, 'different'],
])('the digest of a recipient after a change of %s', async (_, given, expected) => {
  const [before, after] = [await digestOf({}), await digestOf(given)];
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(after === before).toBe(expected === 'equal');
});

it('the digest of a recipient is unknown while a file is not readable', async () => {
  expect(await digestOf({ secrets: { key: { file: 'missing' } } })).toBeUndefined();
});
