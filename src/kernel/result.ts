/** Result of an operation that can fail as expected: the caller decides, nothing is thrown. */
export type Result<T, E> = Ok<T> | Err<E>;

/** Success of a {@link Result}. */
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** Failure of a {@link Result}. */
export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

/** Wraps a value as success. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** Wraps an expected failure. */
export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}

/** Applies `change` to a successful value and returns a failure unchanged. */
export function mapResult<T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> {
  return result.ok ? ok(change(result.value)) : result;
}
