/** What can go wrong in an expected way is a value: the caller decides, nothing is thrown. */
export type Result<T, E> = Ok<T> | Err<E>;

/** The good arm of a {@link Result}. */
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** The bad arm of a {@link Result}. */
export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

/** Wraps a value as success. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** Wraps an expected trouble. */
export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}

/** Applies `change` to a good value and hands trouble through untouched. */
export function map<T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> {
  return result.ok ? ok(change(result.value)) : result;
}
