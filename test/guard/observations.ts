import type { ListTimes } from '../../src/guard/process-list.ts';
import { type Observation, parseEntry } from '../../src/guard/process-list.ts';
import type { Instant, Millis } from '../../src/kernel/time.ts';

/** An arbitrary moment, so that neither clock begins at 0. */
export const epoch = 1_790_000_000_000;

/** `length` after {@link epoch}, on both clocks. */
export function at(length: Millis): Instant {
  return { wall: epoch + length, mono: 1_000_000 + length };
}

/** A list that took `duration`, and was there at `received`. */
export function listAt(received: Millis, duration: Millis = 0): ListTimes {
  return { started: at(received - duration), received: at(received) };
}

/** An entry as the server writes it, of a query that arrived at {@link epoch} and has run for a second. */
export function entryOf(changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    requestid: idAt(0),
    startTime: '2026-09-21 14:13:20.000',
    expirationTime: '2026-09-21 14:13:36.000',
    url: '/query/fraud/ring_scan?depth=4',
    elapsedTime: 1000,
    ...changes,
  };
}

/** The id of a query that arrived at such a time after {@link epoch}. */
export function idAt(arrival: Millis, serial = 65_538, instance = 'RESTPP_1_1'): string {
  return `${serial}.${instance}.${epoch + arrival}.N`;
}

/** A well-formed entry, read. */
export function observationOf(changes: Readonly<Record<string, unknown>> = {}): Observation {
  const read = parseEntry(entryOf(changes));
  if (!read.ok) throw new Error(`not a valid entry: ${read.error}`);
  return read.value;
}
