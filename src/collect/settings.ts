import { z } from 'zod';
import { durationField } from '../graphdb/duration-field.ts';
import { readCron } from '../kernel/cron.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import type { CollectorSettings } from '../model/settings.ts';
import type { Collector } from './collector.ts';

/** A gauge survives two readings that did not come, and goes with the third. */
const staleIntervals = 3;

const cronField = z.string().transform((text, context) => {
  const expression = readCron(text);
  if (expression.ok) return expression.value;
  context.issues.push({ code: 'custom', message: expression.error, input: '' });
  return z.NEVER;
});

/** The `collectors` section: one entry for each collector of the list, with the defaults that it declares. */
export function collectorsSection(collectors: readonly Collector[]) {
  const entries = collectors.map((collector) => [collector.name, collectorEntry(collector)] as const);
  return z.strictObject(Object.fromEntries(entries));
}

function collectorEntry(collector: Collector) {
  return z
    .strictObject(entryFields(collector))
    .transform((given, context) => {
      const settings = settle(given, collector);
      const complaints = [...unsuited(given, collector), ...complaintsAbout(given, settings)];
      for (const [key, message] of complaints) context.issues.push({ code: 'custom', message, path: [key], input: '' });
      return complaints.length === 0 ? settings : z.NEVER;
    })
    .prefault({})
    .describe(collector.about);
}

/** `every` and `cron` have no default of their own here, or it could not be told that both were given. */
function entryFields(collector: Collector) {
  const { enabled, every, timeout, cron } = collector.defaults;
  const stale = formatDuration(every * staleIntervals);
  return {
    enabled: z.boolean().prefault(enabled).describe('Whether it runs at all.'),
    every: durationField
      .optional()
      .describe('How often it reads.')
      .meta(cron === undefined ? { default: formatDuration(every) } : { examples: [formatDuration(every)] }),
    cron: cronField
      .optional()
      .describe('Calendar to read by, instead of `every`: minute, hour, day of month, month, day of week; local time.')
      .meta(cron === undefined ? { examples: ['0 3 * * SUN'] } : { default: cron }),
    timeout: durationField.prefault(formatDuration(timeout)).describe('How long one reading may take.'),
    stale_after: durationField
      .optional()
      .describe('How old a reading may become before its gauges go; three intervals when absent.')
      .meta({ examples: [stale] }),
    ...(collector.passthrough === undefined
      ? {}
      : {
          passthrough: z.boolean().prefault(true).describe("Hand the server's own families on, under their own names."),
        }),
  };
}

/** One entry as the schema leaves it: checked key by key, defaults of time not yet settled. */
interface Given {
  readonly enabled: boolean;
  readonly every?: Millis | undefined;
  readonly cron?: { readonly text: string; readonly longestGap: Millis } | undefined;
  readonly timeout: Millis;
  readonly stale_after?: Millis | undefined;
  readonly passthrough?: unknown;
}

/** By calendar, the interval is the longest gap that the expression allows: staleness and cost are judged by it. */
function settle(given: Given, { defaults }: Collector): CollectorSettings {
  const cron = given.cron ?? (given.every === undefined ? defaultCron(defaults.cron) : undefined);
  const every = cron?.longestGap ?? given.every ?? defaults.every;
  return {
    enabled: given.enabled,
    every,
    ...(cron === undefined ? {} : { cron: cron.text }),
    timeout: given.timeout,
    staleAfter: given.stale_after ?? every * staleIntervals,
    passthrough: given.passthrough !== false,
  };
}

/** An interval begins anew with every start, so a daemon that restarts in a loop would repeat the heavy check each time. */
function unsuited({ every }: Given, { defaults }: Collector) {
  const heavy = every !== undefined && defaults.cron !== undefined;
  return heavy ? [['every', 'is not for a check this heavy: give it a calendar with cron'] as const] : [];
}

function complaintsAbout(given: Given, { every, timeout, staleAfter }: CollectorSettings) {
  return [
    ...(given.every !== undefined && given.cron !== undefined ? [['cron', 'cannot stand beside every'] as const] : []),
    ...(timeout > every ? [['timeout', 'is longer than the interval'] as const] : []),
    ...(staleAfter < every ? [['stale_after', 'is shorter than the interval'] as const] : []),
  ];
}

function defaultCron(text: string | undefined): Given['cron'] {
  if (text === undefined) return undefined;
  const expression = readCron(text);
  if (!expression.ok) throw new Error(`the default cron expression ${expression.error}`);
  return expression.value;
}
