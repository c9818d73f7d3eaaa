import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import { valueAt } from '../../model/exposition.ts';
import type { License } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import { dateAfterDays, parseDate } from '../dates.ts';
import type { Answer, InformantPage } from '../graph-db.ts';

const maxDays = 999_999;
const days = z
  .union([
    z.number().min(-maxDays).max(maxDays),
    z
      .string()
      .regex(/^-?\d{1,6}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined);
const info = z.object({ 'Expiration date': z.unknown().optional(), 'Days remaining': days });
/** List with one entry; a single object is accepted as well. */
const answer = z.object({ results: z.union([z.array(info).min(1), info.transform((one) => [one])]) });

/**
 * `GET /restpp/showlicenseinfo`, whose keys have blanks and whose date has no documented form. Where the server lacks it, the
 * metrics page may have the remaining days.
 */
export async function fetchLicense(
  caller: Caller,
  fetchPage: () => Answer<InformantPage>,
  signal: AbortSignal,
): Answer<License> {
  const license = await fetchLicenseInfo(caller, signal);
  if (license.ok || license.error.reason !== 'unsupported') return license;
  const page = await fetchPage();
  const daysRemaining = page.ok ? daysLeft(page.value) : undefined;
  if (daysRemaining === undefined) return license;
  return ok({ daysRemaining, expiresAtSeconds: dateAfterDays(caller.clock.now().wall, daysRemaining) });
}

/** The smallest value: -1 stands for an expired license. */
function daysLeft({ families, prefix }: InformantPage): number | undefined {
  const values = families.find(({ name }) => name === `${prefix}license_days_left`)?.values;
  const left = Array.from({ length: values?.length ?? 0 }, (_, at) =>
    values === undefined ? NaN : valueAt(values, at),
  );
  const known = left.filter((one) => Math.abs(one) <= maxDays);
  return known.length === 0 ? undefined : Math.floor(Math.min(...known));
}

async function fetchLicenseInfo(caller: Caller, signal: AbortSignal): Answer<License> {
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
