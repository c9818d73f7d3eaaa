import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { ComponentVersion } from '../../model/node.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { decodeText } from '../reply.ts';
import { runSliced } from '../sliced-work.ts';

const maxComponents = 64;

/** The components of both version calls; one of them is enough, because the GSQL server requires credentials. */
export async function fetchVersions(caller: Caller, signal: AbortSignal): Answer<readonly ComponentVersion[]> {
  const [restpp, gsql] = await Promise.all([fetchRestppVersion(caller, signal), fetchGsqlVersion(caller, signal)]);
  if (!restpp.ok) return gsql.ok ? gsql : restpp;
  if (!gsql.ok) return restpp;
  const known = new Set(restpp.value.map(({ component }) => component));
  return ok([...restpp.value, ...gsql.value.filter(({ component }) => !known.has(component))]);
}

/** `GET /restpp/version`: a table inside a JSON string, whose columns are name, tag, commit, date and time. */
export async function fetchRestppVersion(caller: Caller, signal: AbortSignal): Answer<readonly ComponentVersion[]> {
  const json = await caller.json('restppVersion', {}, signal);
  if (!json.ok) return json;
  const { message } = json.value;
  const lines = typeof message === 'string' ? message.split('\n').slice(0, maxComponents) : [];
  const components = lines.flatMap(parseVersionLine);
  if (components.length > 0) return ok(components);
  return err(caller.withContext('restppVersion', failure('body', 'the response contains no component')));
}

function parseVersionLine(line: string): readonly ComponentVersion[] {
  const [, name = '', tag = '', commit = ''] =
    /^(\w[\w.-]{0,63})\s+(\S{1,128})\s+([0-9a-f]{7,64})\b/i.exec(line.trim()) ?? [];
  return name === '' ? [] : [{ component: name.toLowerCase(), version: versionIn(tag), commit }];
}

/** `4.2.1` of `release_4.2.1_06-01-2025`; other tags verbatim. */
function versionIn(tag: string): string {
  return /release_(\d+\.\d+\.\d+)/.exec(tag)?.[1] ?? tag;
}

/** `GET /gsql/v1/version`: plain text. */
export async function fetchGsqlVersion(caller: Caller, signal: AbortSignal): Answer<readonly ComponentVersion[]> {
  const text = await caller.text(
    { name: 'gsqlVersion' },
    (bytes) => runSliced(decodeText(bytes), caller.clock, signal),
    signal,
  );
  if (!text.ok) return text;
  if (!text.value.ok) return err(caller.withContext('gsqlVersion', text.value.error));
  const version = /^GSQL version:\s*(\S{1,128})/m.exec(text.value.value)?.[1];
  const commit = /^GSQL commit number:\s*(\S{1,64})/m.exec(text.value.value)?.[1] ?? '';
  if (version !== undefined) return ok([{ component: 'gsql', version, commit }]);
  return err(caller.withContext('gsqlVersion', failure('body', 'the response contains no version')));
}

/** Reply that is requested rarely. */
export interface AnswerCache<Facts> {
  /** Returns the cached reply, or calls `fresh`. */
  readonly get: (fresh: () => Answer<Facts>) => Answer<Facts>;
  /** Forgets the reply, because it may have changed. */
  readonly clear: () => void;
}

/** Caches a successful reply for a while; failures are not cached. */
export function createAnswerCache<Facts>(clock: Clock, length: Millis): AnswerCache<Facts> {
  let held: { readonly answer: Awaited<Answer<Facts>>; readonly until: number } | undefined;
  return {
    async get(fresh) {
      if (held !== undefined && clock.now().mono < held.until) return held.answer;
      const answer = await fresh();
      held = answer.ok ? { answer, until: clock.now().mono + length } : undefined;
      return answer;
    },
    clear() {
      held = undefined;
    },
  };
}
