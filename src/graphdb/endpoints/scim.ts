import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { numberSchema } from '../reply-schemas.ts';

const envelope = z.object({ totalResults: numberSchema.pipe(z.int().min(0)) });

/** Attribute that is excluded from each list; the documentation shows these. */
const omitted = { scimUsers: 'names', scimGroups: 'members' } as const;

/** `GET /gsql/scim/v2/Users` and `Groups`: the number in the envelope; the entries are dropped at once. */
export async function fetchScimCount(
  caller: Caller,
  name: 'scimUsers' | 'scimGroups',
  signal: AbortSignal,
): Answer<number> {
  const json = await caller.json(name, { query: { excludedAttributes: omitted[name] } }, signal);
  if (!json.ok) return json;
  const read = envelope.safeParse(json.value);
  if (read.success) return ok(read.data.totalResults);
  return err(caller.withContext(name, failure('body', 'the response has no number of entries')));
}
