import { z } from 'zod';
import { type Failure, failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Statement } from '../../model/statement.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { booleanSchema, textOrEmpty } from '../reply-schemas.ts';

const reply = z.object({ error: booleanSchema, message: textOrEmpty, endTime: textOrEmpty.catch('') });

/**
 * `GET /gsql/v1/statements/{requestId}` for each statement of the configuration. The documents of the server show one
 * word for the state, SUCCESS, in the message; the words of other states are assumed. The output is dropped at once.
 */
export async function fetchStatements(
  caller: Caller,
  configured: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Answer<readonly Statement[]> {
  const statements: Statement[] = [];
  let lacking: Failure | undefined;
  for (const [name, requestId] of Object.entries(configured)) {
    const statement = await fetchStatement(caller, { name, requestId }, signal);
    if (!statement.ok && statement.error.reason !== 'unsupported') return statement;
    if (!statement.ok) lacking ??= statement.error;
    statements.push(statement.ok ? statement.value : { name, state: 'unknown' });
  }
  // All states are unknown because the server does not support the request: that is a failure.
  return lacking !== undefined && statements.every(({ state }) => state === 'unknown') ? err(lacking) : ok(statements);
}

async function fetchStatement(
  caller: Caller,
  { name, requestId }: { readonly name: string; readonly requestId: string },
  signal: AbortSignal,
): Answer<Statement> {
  const json = await caller.json('statementStatus', { segments: { requestId } }, signal);
  if (!json.ok) return json;
  const read = reply.safeParse(json.value);
  if (!read.success) return err(caller.withContext('statementStatus', failure('body', 'the response has no state')));
  return ok({ name, state: stateOf(read.data) });
}

/** Errors that do not mean that the statement failed: the server forgets ids, and the GSQL server may not be ready. */
const requestErrors = /\bnot\s+(?:found|exist|ready|available)|\bno such\b|\bunknown\b|\binvalid request|\bexpired\b/i;

function stateOf({ error, message, endTime }: z.output<typeof reply>): Statement['state'] {
  if (error && endTime === '' && requestErrors.test(message)) return 'unknown';
  if (error) return 'failed';
  if (/\bSUCCESS/i.test(message)) return 'finished';
  if (/\b(FAIL|ERROR|ABORT|CANCEL|TIMEOUT)/i.test(message)) return 'failed';
  return endTime === '' ? 'running' : 'finished';
}
