import { scrapedProcess } from './words.ts';

/** What is counted, and how far one looks back. */
interface Counted {
  readonly family: string;
  /** Matchers of its series. */
  readonly who: string;
  /** In which time it has to have been counted, in seconds. */
  readonly within: number;
  /** For how long before that a series may have been away, and is no new one. */
  readonly memory: string;
}

/**
 * In PromQL: a counter has grown of late. Some series begin with the first that is counted, which is no increase; neither
 * is it where a process that began anew has counted as many as the one before.
 */
export function hasCounted({ family, who, within, memory }: Counted): string {
  const counter = `${family}{${who}}`;
  const isNew = `unless present_over_time(${family}[${memory}] offset ${within}s)`;
  const isYoung = `and on (${scrapedProcess}) time() - process_start_time_seconds < ${within}`;
  return `increase(${counter}[${within}s]) > 0 or (${counter} > 0 ${isNew}) or (${counter} > 0 ${isYoung})`;
}
