import { Secret } from './secret.ts';

/** Returns whether two pieces of configuration are equal. Secrets are compared by their text. */
export function deepEqual(one: unknown, other: unknown): boolean {
  if (one instanceof Secret && other instanceof Secret) return one.reveal() === other.reveal();
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other);
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Array.isArray(one) === Array.isArray(other) && [...keys].every((key) => deepEqual(one[key], other[key]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Secret);
}
