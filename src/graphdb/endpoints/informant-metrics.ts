import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { ParsedPage } from '../../model/exposition.ts';
import type { Caller } from '../caller.ts';
import type { ExpositionParser } from '../exposition-parser.ts';
import type { Answer, InformantPage } from '../graph-db.ts';

const lineFeed = 0x0a;

/** `GET /informant/metrics`: the whole cluster's families, whose common prefix differs between servers. */
export async function fetchInformantMetrics(
  caller: Caller,
  parser: ExpositionParser,
  configuredPrefix: string,
  signal: AbortSignal,
): Answer<InformantPage> {
  const body = await caller.text('informantMetrics', {}, signal);
  if (!body.ok) return body;
  const whole = isComplete(body.value.bytes);
  const page = whole ? await parser.parse(body.value.bytes, signal) : err('it is incomplete');
  body.value.release?.();
  if (signal.aborted)
    return err(caller.withContext('informantMetrics', failure('timeout', 'the page was not received in time')));
  if (!page.ok)
    return err(caller.withContext('informantMetrics', failure('body', `the page cannot be parsed: ${page.error}`)));
  if (page.value.families.length === 0) {
    return err(caller.withContext('informantMetrics', failure('body', 'the page contains no metric family')));
  }
  const prefix = configuredPrefix === 'auto' ? detectPrefix(page.value) : configuredPrefix;
  return ok({ ...page.value, prefix });
}

/** Half a page would be shown as a smaller cluster: the format wants a line feed at the end, or OpenMetrics' mark. */
function isComplete(page: Uint8Array): boolean {
  return (
    page.length === 0 || page.at(-1) === lineFeed || new TextDecoder('latin1').decode(page.slice(-6)) === '\n# EOF'
  );
}

/** What stands before `service_status` in the family that reports services; of several, that of the larger part of the page. */
function detectPrefix({ families }: ParsedPage): string | undefined {
  const share = (prefix: string): number => families.filter(({ name }) => name.startsWith(prefix)).length;
  return families
    .flatMap(({ name }) => /^([A-Za-z][\w:]*_)service_status$/.exec(name)?.[1] ?? [])
    .toSorted((one, other) => share(other) - share(one))[0];
}
