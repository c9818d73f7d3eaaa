import { Secret } from './secret.ts';

/** Returns whether two pieces of configuration are equal. Secrets are compared by their text. */
export function deepEqual(one: unknown, other: unknown): boolean {
  if (one instanceof Secret && other instanceof Secret) return one.reveal() === other.reveal();
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  for (const key of Object.keys(one)) if (!deepEqual(one[key], other[key])) return false;
  for (const key of Object.keys(other)) if (other[key] !== undefined && !Object.hasOwn(one, key)) return false;
  return true;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Secret);
}
