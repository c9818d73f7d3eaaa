/**
 * When a request arrived, ms since the epoch, from its id `<n>.RESTPP_<partition>_<replica>.<ms>.<letter>`:
 * the one instant in a process list that has no time zone missing. Undefined for ids of another form.
 */
export function arrivalOf(requestId: string): number | undefined {
  const epoch = /^\d+\.[A-Z]+_\d+_\d+\.(\d{12,14})\.\w+$/.exec(requestId)?.[1];
  return epoch === undefined ? undefined : Number(epoch);
}
