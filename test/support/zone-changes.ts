import { type ClockChange, zoneOffset } from '../../src/kernel/clock-changes.ts';

const day = 86_400_000;

/** All time zones but one, in which no server runs: a station in Antarctica. */
export const allZones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'Antarctica/Troll');

/** Returns the changes of the clocks of a zone in some years, found day by day, to the minute. */
export function zoneChanges(zone: string, firstYear: number, lastYear: number): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  let before = zoneOffset(zone, Date.UTC(firstYear, 0, 1));
  for (let start = Date.UTC(firstYear, 0, 1); start < Date.UTC(lastYear + 1, 0, 1); start += day) {
    const after = zoneOffset(zone, start + day);
    if (after === before) continue;
    let [not, is] = [start, start + day];
    while (is - not > 60_000) {
      const middle = not + Math.floor((is - not) / 120_000) * 60_000;
      if (zoneOffset(zone, middle) === before) not = middle;
      else is = middle;
    }
    changes.push({ at: is, before, by: after - before });
    before = after;
  }
  return changes;
}
