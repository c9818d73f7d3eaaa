import { formatElapsed } from '../../../kernel/duration.ts';
import type { Millis } from '../../../kernel/time.ts';
import { gaps, type Latest, type Reported, type Statement, samplesOf, say } from './statement.ts';
import { list, short } from './words.ts';

/**
 * Ages from which the informant counts as frozen: five of its usual rounds, which are a minute long and for disks
 * five. Data about requests has no fixed interval: a host without requests reports nothing.
 */
const frozenAfter: Readonly<Record<string, Millis>> = {
  'cpu-memory': 300_000,
  network: 300_000,
  diskspace: 1_500_000,
};
/** Maximum difference between two clocks before the page shows a warning. */
const skew: Millis = 60_000;

interface Measured {
  readonly host: string;
  readonly category: string;
  /** When it was read minus when it was measured: negative where their clock is ahead. */
  readonly age: Millis;
}

/** Returns statements such as «Measured at most 40 s before it was read», or the hosts where measurement stopped. */
export function informantInWords(latest: Latest): readonly Statement[] {
  return [...latest.reported.flatMap(ofReading), ...gaps(latest)];
}

function ofReading(reported: Reported): readonly Statement[] {
  const measured = measuredIn(reported);
  const frozen = measured.filter(isFrozen);
  const oldest = extreme(
    measured.filter((one) => !isFrozen(one)),
    (age) => age,
  );
  const ahead = extreme(measured, (age) => -age);
  if (measured.length === 0) return [say('warning', 'The informant has measured nothing')];
  return [
    ...(frozen.length === 0 ? [] : [standstill(frozen)]),
    ...(oldest === undefined ? [] : [say('good', `Measured at most ${formatElapsed(oldest.age)} before it was read`)]),
    ...(ahead === undefined || ahead.age > -skew
      ? []
      : [say('warning', `The clock of ${ahead.host} is ${formatElapsed(-ahead.age)} ahead of ours`)]),
  ];
}

function measuredIn(reported: Reported): readonly Measured[] {
  return Array.from(samplesOf(reported, 'graphdb_informant_collected_timestamp_seconds'), ({ labels, value }) => {
    const { host_id = '', category = '' } = labels;
    return { host: short(host_id, 100), category, age: reported.at - value * 1000 };
  }).filter(({ category }) => frozenAfter[category] !== undefined);
}

function isFrozen({ category, age }: Measured): boolean {
  return age >= (frozenAfter[category] ?? Infinity);
}

function standstill(frozen: readonly Measured[]): Statement {
  const hosts = list([...new Set(frozen.map(({ host }) => host))]);
  const worst = extreme(frozen, (age) => age);
  const measured =
    worst === undefined ? '' : `: ${worst.category} of ${worst.host}, measured ${formatElapsed(worst.age)} ago`;
  return say(
    'bad',
    `Frozen on ${hosts}${measured}`,
    'Host and service values are old ones until the informant (service IFM) measures again, unless its clock is behind.',
  );
}

function extreme(measured: readonly Measured[], rank: (age: Millis) => number): Measured | undefined {
  return measured.reduce<Measured | undefined>(
    (most, one) => (most === undefined || rank(one.age) > rank(most.age) ? one : most),
    undefined,
  );
}
