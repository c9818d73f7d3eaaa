/**
 * When a request arrived, ms since the epoch, from its id `<n>.RESTPP_<partition>_<replica>.<ms>.<letter>`:
 * the one instant in a process list that has no time zone missing. Undefined for ids of another form.
 */
export function arrivalOf(requestId: string): number | undefined {
  const epoch = /^\d+\.[A-Z]+_\d+_\d+\.(\d{12,14})\.\w+$/.exec(requestId)?.[1];
  return epoch === undefined ? undefined : Number(epoch);
}

/** What the id of a request tells. */
export interface RequestId {
  /** `RESTPP_<partition>_<replica>`. */
  readonly instance: string;
  /** ms since the epoch by the server's clock. */
  readonly arrivedAt: number;
}

/** Reads `<n>.RESTPP_<p>_<r>.<epoch ms>.N`, the only form of id that anything is done to. */
export function readRequestId(id: string): RequestId | undefined {
  const [, instance, arrival] = /^\d{1,20}\.(RESTPP_\d{1,4}_\d{1,4})\.(\d{13})\.N$/.exec(id) ?? [];
  return instance === undefined ? undefined : { instance, arrivedAt: Number(arrival) };
}
