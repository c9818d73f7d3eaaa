import { z } from 'zod';
import { durationField, durationFieldFrom } from '../graphdb/settings-fields.ts';
import { parseCron } from '../kernel/cron.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import type { CollectorSettings } from '../model/settings.ts';
import type { Collector } from './collector.ts';

/** Number of intervals after which a gauge becomes stale: two failed polls keep it, the third removes it. */
const staleAfterIntervals = 3;

/** Shortest interval: with `5ms` by mistake instead of `5s`, the collector would send requests without a pause. */
const intervalField = durationFieldFrom(100);

const cronField = z.string().transform((text, context) => {
  const expression = parseCron(text);
  if (expression.ok) return expression.value;
  context.issues.push({ code: 'custom', message: expression.error, input: '' });
  return z.NEVER;
});

/** Returns the schema of the `collectors` section: one entry for each collector, with its defaults. */
export function collectorsSection(collectors: readonly Collector[]) {
  const entries = collectors.map((collector) => [collector.name, collectorEntry(collector)] as const);
  return z.strictObject(Object.fromEntries(entries));
}

function collectorEntry(collector: Collector) {
  return z
    .strictObject(entryFields(collector))
    .transform((given, context) => {
      const settings = resolveDefaults(given, collector);
      const problems = [
        ...unsuitedKeys(given, collector),
        ...timingProblems(given, settings),
        ...taskScheduleProblems(settings, collector),
      ];
      for (const [key, message] of problems) context.issues.push({ code: 'custom', message, path: [key], input: '' });
      return problems.length === 0 ? settings : z.NEVER;
    })
    .prefault({})
    .describe(collector.about);
}

/** `interval` and `schedule` have no default here, because the schema must see whether both are set. */
function entryFields(collector: Collector) {
  const { enabled, interval, timeout, schedule } = collector.defaults;
  const stale = formatDuration(interval * staleAfterIntervals);
  return {
    enabled: z.boolean().prefault(enabled).describe('Enables the collector.'),
    interval: intervalField
      .optional()
      .describe('Poll interval, at least 100ms.')
      .meta(schedule === undefined ? { default: formatDuration(interval) } : { examples: [formatDuration(interval)] }),
    schedule: cronField
      .optional()
      .describe('Cron expression that replaces `interval`: minute, hour, day of month, month, day of week; local time.')
      .meta(schedule === undefined ? { examples: ['0 3 * * SUN'] } : { default: schedule }),
    timeout: durationField.prefault(formatDuration(timeout)).describe('Timeout of one poll.'),
    stale_after: durationField
      .optional()
      .describe(
        'Age at which the gauges of the last successful poll disappear from `/metrics`, even while the collector polls less often. Default: three intervals.',
      )
      .meta({ examples: [stale] }),
    ...(collector.passthrough === undefined
      ? {}
      : {
          passthrough: z
            .boolean()
            .prefault(true)
            .describe('Exposes the native metric families of the server under their own names.'),
        }),
    ...(collector.withOverdueAfter !== undefined && {
      overdue_after: durationField
        .optional()
        .describe(
          'Age above which a query is overdue even if its granted timeout is longer. Default: the timeout only.',
        )
        .meta({ examples: ['10m'] }),
    }),
    ...(collector.inventory?.namesPeople === true && {
      names: z
        .boolean()
        .prefault(false)
        .describe('Includes the names of users and groups in log lines about their changes.'),
    }),
  };
}

/** Parsed entry, before the defaults of the timing keys are resolved. */
interface GivenSettings {
  readonly enabled: boolean;
  readonly interval?: Millis | undefined;
  readonly schedule?: { readonly text: string; readonly longestGap: Millis } | undefined;
  readonly timeout: Millis;
  readonly stale_after?: Millis | undefined;
  readonly passthrough?: unknown;
  readonly names?: unknown;
  readonly overdue_after?: unknown;
}

/**
 * Resolves the defaults. With a schedule, the interval is the longest gap of the cron expression, from which staleness and cost
 * are computed.
 */
function resolveDefaults(given: GivenSettings, { defaults }: Collector): CollectorSettings {
  const cron = given.schedule ?? (given.interval === undefined ? defaultCron(defaults.schedule) : undefined);
  const interval = cron?.longestGap ?? given.interval ?? defaults.interval;
  return {
    enabled: given.enabled,
    interval,
    ...(cron === undefined ? {} : { schedule: cron.text }),
    timeout: given.timeout,
    staleAfter: given.stale_after ?? interval * staleAfterIntervals,
    passthrough: given.passthrough !== false,
    ...(given.names === true && { names: true }),
    ...(typeof given.overdue_after === 'number' && { overdueAfter: given.overdue_after }),
  };
}

/**
 * Rejects an interval for a heavy check and a task that changes the server: an interval starts with the process, so a crash
 * loop would repeat it each time.
 */
function unsuitedKeys({ interval }: GivenSettings, { defaults }: Collector) {
  const heavy = interval !== undefined && defaults.schedule !== undefined;
  return heavy
    ? [['interval', 'is not allowed for this collector, which runs at scheduled times; set schedule instead'] as const]
    : [];
}

/** Rejects a schedule that runs a task that changes the server more than once a minute. */
function taskScheduleProblems({ schedule = '' }: CollectorSettings, collector: Collector) {
  const [second = '', ...others] = schedule.split(' ');
  const isOften = others.length === 5 && !/^\d+$/.test(second);
  return isOften && collector.taskRuns !== undefined
    ? [['schedule', 'must not be more often than once a minute, because it changes the server'] as const]
    : [];
}

function timingProblems(given: GivenSettings, { interval, timeout, staleAfter }: CollectorSettings) {
  return [
    ...(given.interval !== undefined && given.schedule !== undefined
      ? [['schedule', 'cannot be combined with interval; remove one of them'] as const]
      : []),
    ...(timeout > interval ? [['timeout', 'must not be longer than the interval'] as const] : []),
    ...(staleAfter < interval ? [['stale_after', 'must not be shorter than the interval'] as const] : []),
  ];
}

function defaultCron(text: string | undefined): GivenSettings['schedule'] {
  if (text === undefined) return undefined;
  const expression = parseCron(text);
  if (!expression.ok) throw new Error(`the default cron expression ${expression.error}`);
  return expression.value;
}
