import { describe, expect, it } from 'vitest';
import { createSecretReader, type SecretReader } from '../../src/graphdb/secret-reader.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { factsOf, failureOf } from '../support/client.ts';
import { FakeFiles } from '../support/fake-files.ts';

async function textOf(reader: SecretReader): Promise<string> {
  return factsOf(await reader.read()).reveal();
}

describe('a secret in the configuration', () => {
  it('is returned unchanged', async () => {
    const secret = new Secret('s');
    const reader = createSecretReader({ value: secret }, new FakeFiles());
    expect(factsOf(await reader.read())).toBe(secret);
    expect(await reader.differsFrom(secret)).toBe(false);
  });
});

describe('a secret in a file', () => {
  it('is read without its line end, once', async () => {
    const files = new FakeFiles({ '/s': 'first\n' });
    const reader = createSecretReader({ file: '/s' }, files);
    expect([await textOf(reader), await textOf(reader)]).toEqual(['first', 'first']);
    expect(files.reads).toEqual(['/s']);
  });

  it('keeps its blanks, without trailing line ends', async () => {
    const reader = createSecretReader({ file: '/s' }, new FakeFiles({ '/s': ' a b \n\n' }));
    expect(await textOf(reader)).toBe(' a b ');
  });

  it('is read every time if the file has no stamp', async () => {
    const files = new FakeFiles({ '/s': 'first' });
    const unstamped = {
      readText: (path: string) => files.readText(path),
      stamp: async () => undefined,
      presence: (path: string) => files.presence(path),
    };
    const reader = createSecretReader({ file: '/s' }, unstamped);
    await reader.read();
    files.write('/s', 'second');
    expect(await textOf(reader)).toBe('second');
  });

  it('is read again when the file has changed', async () => {
    const files = new FakeFiles({ '/s': 'first' });
    const reader = createSecretReader({ file: '/s' }, files);
    await reader.read();
    files.write('/s', 'second\r\n');
    expect(await textOf(reader)).toBe('second');
  });

  it('stays the same object while the text is the same', async () => {
    const files = new FakeFiles({ '/s': 'same' });
    const reader = createSecretReader({ file: '/s' }, files);
    const before = factsOf(await reader.read());
    files.write('/s', 'same');
    expect(factsOf(await reader.read())).toBe(before);
  });

  it('is compared with the used one by its text, not by its stamp', async () => {
    const files = new FakeFiles({ '/s': 'first' });
    const reader = createSecretReader({ file: '/s' }, files);
    const used = factsOf(await reader.read());
    expect(await reader.differsFrom(used)).toBe(false);
    files.writeUnnoticed('/s', 'second');
    expect(await reader.differsFrom(used)).toBe(true);
    expect(await textOf(reader)).toBe('second');
  });

  it.each([
    ['missing', new FakeFiles(), "the secret is not available: cannot read '/s': no such file"],
    ['empty', new FakeFiles({ '/s': '\n' }), "the secret is not available: the file '/s' is empty"],
    ['blank', new FakeFiles({ '/s': '  \n' }), "the secret is not available: the file '/s' is empty"],
  ])('that is %s fails with auth, with the file and the reason', async (_what, files, message) => {
    const reader = createSecretReader({ file: '/s' }, files);
    expect(failureOf(await reader.read())).toMatchObject({ reason: 'auth', message });
    expect(await reader.differsFrom(new Secret('x'))).toBe(false);
  });
});
