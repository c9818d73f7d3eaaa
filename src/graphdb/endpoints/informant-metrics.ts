import { type Failure, failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { ParsedPage } from '../../model/exposition.ts';
import type { Caller } from '../caller.ts';
import { type ExpositionParser, tooManyFamilies } from '../exposition-parser.ts';
import type { Answer, InformantPage } from '../graph-db.ts';

const lineFeed = 0x0a;

/** `GET /informant/metrics`: the whole cluster's families, whose common prefix differs between servers. */
export async function fetchInformantMetrics(
  caller: Caller,
  { parser, detectPrefix }: { readonly parser: ExpositionParser; readonly detectPrefix: PrefixDetector },
  signal: AbortSignal,
): Answer<InformantPage> {
  const text = await caller.text(
    { name: 'informantMetrics' },
    async (bytes) => ok(isComplete(bytes) ? await parser.parse(bytes, signal) : err('it is incomplete')),
    signal,
  );
  if (!text.ok) return text;
  const page = text.value;
  if (signal.aborted)
    return err(caller.withContext('informantMetrics', failure('timeout', 'the page was not received in time')));
  if (!page.ok) return err(caller.withContext('informantMetrics', pageFailure(page.error)));
  if (page.value.families.length === 0) {
    return err(caller.withContext('informantMetrics', failure('body', 'the page contains no metric family')));
  }
  return ok({ ...page.value, prefix: detectPrefix(page.value) });
}

function pageFailure(error: string): Failure {
  const message = `the page cannot be parsed: ${error}`;
  return error === tooManyFamilies ? failure('too_large', message, { limit: 'families' }) : failure('body', message);
}

/** Whether a page is complete: a truncated one would look like a smaller cluster. A page ends with a line feed or `# EOF`. */
function isComplete(page: Uint8Array): boolean {
  return (
    page.length === 0 || page.at(-1) === lineFeed || new TextDecoder('latin1').decode(page.slice(-6)) === '\n# EOF'
  );
}

/** Returns the prefix of the families of a page. */
export type PrefixDetector = (page: ParsedPage) => string | undefined;

/**
 * Detects the prefix, unless it is configured. A page without a service status, as while its services start, has the prefix
 * of the page before, if it has a family with it.
 */
export function createPrefixDetector(configured: string): PrefixDetector {
  let last: string | undefined;
  return (page) => {
    if (configured !== 'auto') return configured;
    last = prefixOf(page) ?? last;
    const prefix = last;
    return prefix !== undefined && page.families.some(({ name }) => name.startsWith(prefix)) ? prefix : undefined;
  };
}

/** Returns the prefix of the family `service_status`; of several prefixes, the one with the most families. */
function prefixOf({ families }: ParsedPage): string | undefined {
  const share = (prefix: string): number => families.filter(({ name }) => name.startsWith(prefix)).length;
  return families
    .flatMap(({ name }) => /^([A-Za-z][\w:]*_)service_status$/.exec(name)?.[1] ?? [])
    .toSorted((one, other) => share(other) - share(one))[0];
}
