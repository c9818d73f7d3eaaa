import { labelOf, type ParsedFamily } from '../model/exposition.ts';
import { serviceStatusCodes } from '../model/service.ts';
import { numberAt } from '../model/value-texts.ts';

/** What the server's metrics say of one service instance. */
export interface StatusCode {
  readonly service: string;
  /** `''` where the service has none. */
  readonly partition: string;
  readonly replica: string;
  readonly code: number;
}

/** The label and the word for a status that the documents do not name. */
export const unrecognised = 'unrecognised';

const words: ReadonlyMap<number, string> = new Map(
  Object.entries(serviceStatusCodes).map(([word, code]) => [code, word]),
);

/** The codes of the informant's page, from its family `<prefix>service_status`. `prefix` has its underscore. */
export function statusCodesOf(families: readonly ParsedFamily[], prefix: string): readonly StatusCode[] {
  const family = families.find(({ name }) => name === `${prefix}service_status`);
  if (family === undefined) return [];
  return family.series.map((series, at) => ({
    service: labelOf(series, 'service_name'),
    partition: labelOf(series, 'partition'),
    replica: labelOf(series, 'replica'),
    code: numberAt(family.values, at),
  }));
}

/** The status that a code stands for. */
export function wordOf(code: number): string {
  return words.get(code) ?? unrecognised;
}

/** A status as metrics may show it: one of the documented words, or {@link unrecognised}. */
export function recognised(status: string): string {
  return Object.hasOwn(serviceStatusCodes, status) ? status : unrecognised;
}
