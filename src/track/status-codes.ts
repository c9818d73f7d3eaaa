import { labelValue, type ParsedFamily, valueAt } from '../model/exposition.ts';
import { serviceStatusCodes } from '../model/service.ts';

/** What the server's metrics say of one service instance. */
export interface StatusCode {
  readonly service: string;
  /** `''` where the service has none. */
  readonly partition: string;
  readonly replica: string;
  readonly code: number;
}

/** The label and the word for unknown service status. */
export const unrecognizedStatus = 'unrecognised';

const statusNames: ReadonlyMap<number, string> = new Map(
  Object.entries(serviceStatusCodes).map(([word, code]) => [code, word]),
);

/** The codes of the informant's page, from its family `<prefix>service_status`. `prefix` has its underscore. */
export function statusCodesOf(families: readonly ParsedFamily[], prefix: string): readonly StatusCode[] {
  const family = families.find(({ name }) => name === `${prefix}service_status`);
  if (family === undefined) return [];
  return family.series.map((series, at) => ({
    service: labelValue(series, 'service_name'),
    partition: labelValue(series, 'partition'),
    replica: labelValue(series, 'replica'),
    code: valueAt(family.values, at),
  }));
}

/** The status that a code stands for. */
export function statusNameOf(code: number): string {
  return statusNames.get(code) ?? unrecognizedStatus;
}

/** A status as metrics may show it: one of the documented words, or {@link unrecognizedStatus}. */
export function knownStatusOrUnrecognized(status: string): string {
  return Object.hasOwn(serviceStatusCodes, status) ? status : unrecognizedStatus;
}
