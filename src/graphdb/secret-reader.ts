import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { Secret, type SecretSource } from '../kernel/secret.ts';
import type { Files } from '../kernel/system.ts';

/** Secret that may change. */
export interface SecretReader {
  /** Returns the current secret; the failure `auth` if its file is unreadable. */
  read(): Promise<Result<Secret, Failure>>;
  /** Reads the file again, even if it seems unchanged; true if the secret differs from `used`. */
  differsFrom(used: Secret): Promise<boolean>;
}

/** Reads a secret from its configured source; from a file only if the file has changed. */
export function createSecretReader(source: SecretSource, files: Files): SecretReader {
  if ('file' in source) return fileSecretReader(source.file, files);
  return { read: () => Promise.resolve(ok(source.value)), differsFrom: () => Promise.resolve(false) };
}

function fileSecretReader(path: string, files: Files): SecretReader {
  let held: { readonly stamp: string | undefined; readonly secret: Secret } | undefined;

  async function load(stamp: string | undefined): Promise<Result<Secret, Failure>> {
    const text = await files.readText(path);
    if (!text.ok) return err(failure('auth', `the secret is not available: ${text.error}`));
    const secret = withoutLineEnds(text.value);
    if (secret.trim() === '') return err(failure('auth', `the secret is not available: the file '${path}' is empty`));
    // The same secret stays the same object, so that callers can compare it with the current one.
    held = { stamp, secret: held?.secret.reveal() === secret ? held.secret : new Secret(secret) };
    return ok(held.secret);
  }

  return {
    async read() {
      const stamp = await files.stamp(path);
      return held !== undefined && stamp !== undefined && stamp === held.stamp ? ok(held.secret) : await load(stamp);
    },
    async differsFrom(used) {
      const fresh = await load(await files.stamp(path));
      return fresh.ok && fresh.value.reveal() !== used.reveal();
    },
  };
}

/** Editors and `echo` append line breaks; a blank may belong to the secret. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}
