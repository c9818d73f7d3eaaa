import type { LogFields } from '../kernel/logger.ts';

const secretNames =
  /^(?:.*[_-])?(?:authorization|cookie|password|passphrase|secret|token|api[_-]?key|private[_-]?key)$/i;
const userInfo = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#]*@/gi;
const credentials = /\b(Bearer|Basic|GSQL-Secret)\s+[\w.~+/=-]+/gi;
const maxDepth = 6;
const maxTextLength = 8_192;

/**
 * Log fields as they may be written: errors with name, message and stack, no secrets. A field with the name of a
 * secret is redacted whatever its value; texts lose the user part of URLs and authorization headers.
 */
export function redactFields(fields: LogFields): LogFields {
  return redactObject(fields, 0);
}

function redactObject(fields: object, depth: number): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secretNames.test(name) ? redactSecret(value) : redactValue(value, depth),
    ]),
  );
}

/** Replaces the value of a field with the name of a secret; a value that only shows whether it is set stays. */
function redactSecret(value: unknown): unknown {
  return value === undefined || value === null || typeof value === 'boolean' ? value : '[secret]';
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth + 1);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return redactValue(value.toJSON(), depth + 1);
  return redactObject(value, depth + 1);
}

function redactError(value: Error, depth: number): LogFields {
  const { name, message, stack, cause, ...more } = value;
  return {
    name,
    message: redactText(message),
    ...redactObject(more, depth),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, depth) }),
  };
}

function redactText(value: string): string {
  const short = value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value;
  return short.replace(userInfo, '$1[secret]@').replace(credentials, '$1 [secret]');
}
