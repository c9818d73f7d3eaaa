import { z } from 'zod';
import { Secret, type SecretSource } from '../kernel/secret.ts';

/** A secret inline, or from an environment variable. */
export const secretText = z
  .string()
  .min(1)
  // A line break would end the header that carries the secret.
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not hold line breaks or control characters' })
  .transform((text) => new Secret(text));

/** The name of a file with a secret. */
export const secretFile = z.string().min(1);

/** How an example shows where an inline secret had better come from. */
export function reference(variable: string): string {
  return `\${${variable}}`;
}

/** The one of two ways that was given; undefined where it was neither or both. */
export function oneSource(value: Secret | undefined, file: string | undefined): SecretSource | undefined {
  if (value !== undefined) return file === undefined ? { value } : undefined;
  return file === undefined ? undefined : { file };
}
