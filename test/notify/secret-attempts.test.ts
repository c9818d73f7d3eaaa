import { describe, expect, it } from 'vitest';
import { createSecretReader, type SecretReader } from '../../src/graphdb/secret-reader.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { ReceiverResponse } from '../../src/notify/notifier.ts';
import { withSecrets } from '../../src/notify/secret-attempts.ts';
import { FakeFiles } from '../support/fake-files.ts';

const accepted: ReceiverResponse = { kind: 'accepted' };
const broken: ReceiverResponse = { kind: 'broken', message: 'answered with status 401' };

function withSecret(reader: SecretReader, attempt: (secret: Secret) => Promise<ReceiverResponse>) {
  return withSecrets(new Map([['key', reader]]), ({ key }) => attempt(key ?? new Secret('')));
}

/** Attempts that only one secret makes succeed. */
function attemptsFor(good: string) {
  const used: string[] = [];
  const attempt = async (secret: Secret): Promise<ReceiverResponse> => {
    used.push(secret.reveal());
    return secret.reveal() === good ? accepted : broken;
  };
  return { used, attempt };
}

describe('an attempt with a secret', () => {
  it('is made once if the receiver accepts it', async () => {
    const { used, attempt } = attemptsFor('new');
    const reader = createSecretReader({ file: 'k' }, new FakeFiles({ k: 'new\n' }));
    expect(await withSecret(reader, attempt)).toEqual(accepted);
    expect(used).toEqual(['new']);
  });

  it('is repeated if the file has changed without a visible change of its stamp', async () => {
    const { used, attempt } = attemptsFor('new');
    const files = new FakeFiles({ k: 'old' });
    const reader = createSecretReader({ file: 'k' }, files);
    await reader.read();
    files.writeUnnoticed('k', 'new');
    expect(await withSecret(reader, attempt)).toEqual(accepted);
    expect(used).toEqual(['old', 'new']);
  });

  it('is not repeated with the same secret', async () => {
    const { used, attempt } = attemptsFor('new');
    expect(await withSecret(createSecretReader({ file: 'k' }, new FakeFiles({ k: 'old' })), attempt)).toEqual(broken);
    expect(await withSecret(createSecretReader({ value: new Secret('older') }, new FakeFiles()), attempt)).toEqual(
      broken,
    );
    expect(used).toEqual(['old', 'older']);
  });

  it('is not made if the secret cannot be read', async () => {
    const { used, attempt } = attemptsFor('new');
    expect(await withSecret(createSecretReader({ file: 'k' }, new FakeFiles()), attempt)).toEqual({
      kind: 'broken',
      message: "the secret is not available: cannot read 'k': no such file",
    });
    expect(used).toEqual([]);
  });

  it('does not read the file again after another result', async () => {
    const files = new FakeFiles({ k: 'old' });
    const reader = createSecretReader({ file: 'k' }, files);
    const refused: ReceiverResponse = { kind: 'refused', message: 'why' };
    expect(await withSecret(reader, async () => refused)).toEqual(refused);
    expect(files.reads).toEqual(['k']);
  });

  it('gets every secret, and needs no secret', async () => {
    const files = new FakeFiles({ a: '1', b: '2' });
    const readers = new Map(['a', 'b'].map((file) => [file, createSecretReader({ file }, files)]));
    const seen: string[] = [];
    const attempt = async (secrets: Readonly<Record<string, Secret>>): Promise<ReceiverResponse> => {
      seen.push(
        Object.entries(secrets)
          .map(([name, secret]) => `${name}=${secret.reveal()}`)
          .join(),
      );
      return accepted;
    };
    await withSecrets(readers, attempt);
    await withSecrets(new Map(), attempt);
    expect(seen).toEqual(['a=1,b=2', '']);
  });
});
