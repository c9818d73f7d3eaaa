import { z } from 'zod';
import { isGraphName } from '../graphdb/query-identity.ts';
import { parseJson } from '../kernel/json.ts';
import { err, ok, type Result } from '../kernel/result.ts';

const maxReasonLength = 500;
const maxNameLength = 1000;

/** Body of the request for a manual abort. */
export const abortRequestSchema = z
  .strictObject(
    {
      reason: z
        .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a string') })
        .trim()
        .min(1, { error: 'is missing' })
        .max(maxReasonLength, { error: `is longer than ${maxReasonLength} characters` })
        // Audit logs and terminals show it: no invisible characters, no line breaks.
        .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, { error: 'contains characters that cannot be printed' })
        .describe('Reason, for the audit log.'),
      whilePaused: z
        .boolean({ error: 'must be true or false' })
        .default(false)
        .describe('Whether to abort the query although the guard is paused.'),
      graph: z
        .string({ error: 'must be a string' })
        .refine(isGraphName, { error: 'is not the name of a graph' })
        .optional()
        .describe('Graph of an interpreted query, which process lists do not contain; omit it for other queries.'),
    },
    { error: objectErrorFor('reason, whilePaused and graph') },
  )
  .meta({
    id: 'AbortRequest',
    description: 'Manual abort of a query.',
    examples: [{ reason: 'blocks the nightly load', whilePaused: false }],
  });

/** Body of a manual abort. */
export type AbortRequestBody = z.infer<typeof abortRequestSchema>;

/** Body of the request that resets a circuit breaker. */
export const breakerResetSchema = z
  .strictObject(
    {
      cluster: name().describe('Cluster.'),
      breaker: name().describe('Key of the circuit breaker, as `GET /api/v1/guard` returns it.'),
    },
    { error: objectErrorFor('cluster and breaker') },
  )
  .meta({
    id: 'BreakerReset',
    description: 'Circuit breaker to close.',
    examples: [{ cluster: 'prod', breaker: 'no_relief runaway' }],
  });

/** Circuit breaker that an operator closes. */
export type BreakerResetBody = z.infer<typeof breakerResetSchema>;

/** Parses the body of a request for a manual abort; the error lists all problems. */
export function parseAbortBody(body: string): Result<AbortRequestBody, string> {
  return parseBody(body, abortRequestSchema);
}

/** Parses the body of a request that resets a circuit breaker; the error lists all problems. */
export function parseBreakerResetBody(body: string): Result<BreakerResetBody, string> {
  return parseBody(body, breakerResetSchema);
}

function parseBody<Body>(body: string, schema: z.ZodType<Body>): Result<Body, string> {
  const found = schema.safeParse(parseJson(body));
  return found.success ? ok(found.data) : err(found.error.issues.map(formatIssue).join('; '));
}

function name() {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a string') })
    .min(1, { error: 'is missing' })
    .max(maxNameLength, { error: 'is too long' });
}

function objectErrorFor(known: string) {
  return ({ code }: { readonly code?: string }): string =>
    code === 'unrecognized_keys' ? `the body may contain only ${known}` : 'the body must be a JSON object';
}

function formatIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}
