import { labelValue, type ParsedFamily, valueAt } from '../model/exposition.ts';
import { serviceStatusCodes } from '../model/service.ts';

/** Status code of one service instance in the server's metrics. */
export interface StatusCode {
  readonly service: string;
  /** Partition; `''` for a service without partitions. */
  readonly partition: string;
  readonly replica: string;
  readonly code: number;
}

/** Label value of statuses that the server's documentation does not name. */
export const unrecognizedStatus = 'unrecognised';

const statusNames: ReadonlyMap<number, string> = new Map(
  Object.entries(serviceStatusCodes).map(([word, code]) => [code, word]),
);

/**
 * Returns the codes in the family `<prefix>service_status` of the informant's page. `prefix` includes the underscore.
 */
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

/** Returns the status of a code; {@link unrecognizedStatus} for an unknown code. */
export function statusNameOf(code: number): string {
  return statusNames.get(code) ?? unrecognizedStatus;
}

/** Returns a documented status, or {@link unrecognizedStatus} for any other. */
export function knownStatusOrUnrecognized(status: string): string {
  return Object.hasOwn(serviceStatusCodes, status) ? status : unrecognizedStatus;
}
