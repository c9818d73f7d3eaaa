import type { LogFields } from '../kernel/logger.ts';

const secretNames =
  /^(?:.*[_-])?(?:authorization|cookie|password|passphrase|secret|token|api[_-]?key|private[_-]?key)$/i;
const userInfo = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#]*@/gi;
const credentials = /\b(Bearer|Basic|GSQL-Secret)\s+[\w.~+/=-]+/gi;
const deepest = 6;
const longest = 8_192;

/**
 * Log fields as they may be written: errors with name, message and stack, no secrets. What is called a secret is
 * one, whatever it holds; within texts the user part of URLs and authorization headers go.
 */
export function presentable(fields: LogFields): LogFields {
  return object(fields, 0);
}

function object(fields: object, depth: number): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretNames.test(name) ? hidden(value) : shown(value, depth)]),
  );
}

function hidden(value: unknown): unknown {
  return value === undefined || value === null || typeof value === 'boolean' ? value : '[secret]';
}

function shown(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[deeper]';
  if (value instanceof Error) return error(value, depth + 1);
  if (Array.isArray(value)) return value.map((item) => shown(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return shown(value.toJSON(), depth + 1);
  return object(value, depth + 1);
}

function error(value: Error, depth: number): LogFields {
  const { name, message, stack, cause, ...more } = value;
  return {
    name,
    message: text(message),
    ...object(more, depth),
    ...(stack === undefined ? {} : { stack: text(stack) }),
    ...(cause === undefined ? {} : { cause: shown(cause, depth) }),
  };
}

function text(value: string): string {
  const short = value.length > longest ? `${value.slice(0, longest)}…` : value;
  return short.replace(userInfo, '$1[secret]@').replace(credentials, '$1 [secret]');
}
