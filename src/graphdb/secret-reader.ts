import { type Failure, failure } from '../kernel/failure.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { Secret, type SecretSource } from '../kernel/secret.ts';
import type { Files } from '../kernel/system.ts';

/** A secret that may change under us. */
export interface SecretReader {
  /** The secret as it is now; the failure `auth` where its file cannot be read. */
  read(): Promise<Result<Secret, Failure>>;
  /** Reads the file again whatever its stamp says; true when the secret is another than `used`. */
  differsFrom(used: Secret): Promise<boolean>;
}

/** Reads a secret from where it is configured; from a file again only when that has changed. */
export function createSecretReader(source: SecretSource, files: Files): SecretReader {
  if ('file' in source) return fromFile(source.file, files);
  return { read: () => Promise.resolve(ok(source.value)), differsFrom: () => Promise.resolve(false) };
}

function fromFile(path: string, files: Files): SecretReader {
  let held: { readonly stamp: string | undefined; readonly secret: Secret } | undefined;

  async function load(stamp: string | undefined): Promise<Result<Secret, Failure>> {
    const text = await files.readText(path);
    if (!text.ok) return err(failure('auth', `there is no secret: ${text.error}`));
    const secret = withoutLineEnds(text.value);
    if (secret.trim() === '') return err(failure('auth', `there is no secret: the file '${path}' is empty`));
    // The same secret stays the same object: whoever holds one can tell whether it is still the current.
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

/** Editors and `echo` leave one or more; a blank may belong to the secret. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}
