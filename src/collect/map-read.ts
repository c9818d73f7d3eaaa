import { ok } from '../kernel/result.ts';
import type { ReadResult } from './collector.ts';

/** Applies `change` to whatever a read did bring, the whole or the part of it. */
export function mapRead<From, To>(result: ReadResult<From>, change: (facts: From) => To): ReadResult<To> {
  if (result.ok) return ok(change(result.value));
  const { error, partial } = result;
  return partial === undefined ? { ok: false, error } : { ok: false, error, partial: change(partial) };
}
