import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { License } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import { dateAfterDays, parseDate } from '../dates.ts';
import type { Answer } from '../graph-db.ts';

const mostDays = 999_999;
const days = z
  .union([
    z.number().min(-mostDays).max(mostDays),
    z
      .string()
      .regex(/^-?\d{1,6}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined);
const info = z.object({ 'Expiration date': z.unknown().optional(), 'Days remaining': days });
/** A list of one; a bare object is taken as well. */
const answer = z.object({ results: z.union([z.array(info).min(1), info.transform((one) => [one])]) });

/** `GET /restpp/showlicenseinfo`, whose keys have blanks and whose date has no documented form. */
export async function fetchLicense(caller: Caller, signal: AbortSignal): Answer<License> {
  const json = await caller.json('license', {}, signal);
  if (!json.ok) return json;
  const read = answer.safeParse(json.value);
  const [license] = read.success ? read.data.results : [];
  if (license === undefined)
    return err(caller.withContext('license', failure('body', 'the response contains no license')));
  const daysRemaining = license['Days remaining'];
  const counted = daysRemaining === undefined ? undefined : dateAfterDays(caller.clock.now().wall, daysRemaining);
  const expiresAtSeconds = parseDate(license['Expiration date']) ?? counted;
  return ok({
    ...(expiresAtSeconds !== undefined && { expiresAtSeconds }),
    ...(daysRemaining !== undefined && { daysRemaining }),
  });
}
