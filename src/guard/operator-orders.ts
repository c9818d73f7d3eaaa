import { z } from 'zod';
import { err, ok, type Result } from '../kernel/result.ts';

/** What an operator says when a query is to be aborted by hand. */
export interface AbortOrder {
  readonly reason: string;
  readonly whilePaused: boolean;
}

/** Which breaker an operator closes. */
export interface BreakerOrder {
  readonly cluster: string;
  readonly breaker: string;
}

const mostReason = 500;
const mostName = 1000;

const abort = z.strictObject(
  {
    reason: z
      .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'is no text') })
      .trim()
      .min(1, { error: 'is missing' })
      .max(mostReason, { error: `is longer than ${mostReason} characters` })
      // It is read in audits and terminals: nothing invisible, nothing that begins a line.
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, { error: 'holds what cannot be printed' }),
    whilePaused: z.boolean({ error: 'is true or false' }).default(false),
  },
  { error: complaintOf('reason and whilePaused') },
);

const breaker = z.strictObject({ cluster: name(), breaker: name() }, { error: complaintOf('cluster and breaker') });

/** Reads the body of a request for an abort; the error is a sentence that says all that is wrong with it. */
export function readAbortOrder(body: string): Result<AbortOrder, string> {
  return read(body, abort);
}

/** The same for the reset of a breaker. */
export function readBreakerOrder(body: string): Result<BreakerOrder, string> {
  return read(body, breaker);
}

function read<Order>(body: string, schema: z.ZodType<Order>): Result<Order, string> {
  const found = schema.safeParse(parsed(body));
  return found.success ? ok(found.data) : err(found.error.issues.map(complaint).join('; '));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function name() {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'is no text') })
    .min(1, { error: 'is missing' })
    .max(mostName, { error: 'is too long' });
}

function complaintOf(known: string) {
  return ({ code }: { readonly code?: string }): string =>
    code === 'unrecognized_keys' ? `only ${known} are known` : 'the body must be a JSON object';
}

function complaint({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}
