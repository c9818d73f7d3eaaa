import { gaps, type Latest, samplesOf } from './latest.ts';
import { type Statement, say, type Tone } from './statement.ts';
import { count, day } from './words.ts';

const dayMillis = 86_400_000;

/** «ends on 2027-09-17, in 299 days». */
export function licenseInWords(latest: Latest, wall: number): readonly Statement[] {
  const ends = latest.told.flatMap((told) =>
    Array.from(samplesOf(told, 'graphdb_license_expiration_timestamp_seconds'), ({ value }) => value * 1000),
  );
  return [...ends.map((end) => ofEnd(end, wall)), ...gaps(latest)];
}

function ofEnd(end: number, wall: number): Statement {
  const days = Math.floor((end - wall) / dayMillis);
  if (end <= wall)
    return say('bad', `Expired on ${day(end)}`, 'Queries fail and services refuse to start without one.');
  return say(toneOf(days), `Ends on ${day(end)}, ${days === 0 ? 'within a day' : `in ${count(days, 'day')}`}`);
}

function toneOf(days: number): Tone {
  if (days < 7) return 'bad';
  return days < 30 ? 'warning' : 'good';
}
