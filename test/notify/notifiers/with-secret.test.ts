import { describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../src/graphdb/secret-reader.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import type { Answer } from '../../../src/notify/notifier.ts';
import { withSecret } from '../../../src/notify/notifiers/with-secret.ts';
import { FakeFiles } from '../../support/fake-files.ts';

const accepted: Answer = { kind: 'accepted' };
const broken: Answer = { kind: 'broken', message: 'answered with status 401' };

/** Attempts that know which secret is good. */
function doorFor(good: string) {
  const used: string[] = [];
  const attempt = async (secret: Secret): Promise<Answer> => {
    used.push(secret.reveal());
    return secret.reveal() === good ? accepted : broken;
  };
  return { used, attempt };
}

describe('an attempt with a secret', () => {
  it('is one where it is accepted', async () => {
    const { used, attempt } = doorFor('new');
    const reader = createSecretReader({ file: 'k' }, new FakeFiles({ k: 'new\n' }));
    expect(await withSecret(reader, attempt)).toEqual(accepted);
    expect(used).toEqual(['new']);
  });

  it('is two where the file has changed without showing it', async () => {
    const { used, attempt } = doorFor('new');
    const files = new FakeFiles({ k: 'old' });
    const reader = createSecretReader({ file: 'k' }, files);
    await reader.read();
    files.writeUnnoticed('k', 'new');
    expect(await withSecret(reader, attempt)).toEqual(accepted);
    expect(used).toEqual(['old', 'new']);
  });

  it('is one where nothing better is known', async () => {
    const { used, attempt } = doorFor('new');
    expect(await withSecret(createSecretReader({ file: 'k' }, new FakeFiles({ k: 'old' })), attempt)).toEqual(broken);
    expect(await withSecret(createSecretReader({ value: new Secret('older') }, new FakeFiles()), attempt)).toEqual(
      broken,
    );
    expect(used).toEqual(['old', 'older']);
  });

  it('is none where the secret cannot be read', async () => {
    const { used, attempt } = doorFor('new');
    expect(await withSecret(createSecretReader({ file: 'k' }, new FakeFiles()), attempt)).toEqual({
      kind: 'broken',
      message: "there is no secret: cannot read 'k': there is no such file",
    });
    expect(used).toEqual([]);
  });

  it('looks at the file again for no other trouble', async () => {
    const files = new FakeFiles({ k: 'old' });
    const reader = createSecretReader({ file: 'k' }, files);
    const refused: Answer = { kind: 'refused', message: 'why' };
    expect(await withSecret(reader, async () => refused)).toEqual(refused);
    expect(files.reads).toEqual(['k']);
  });
});
