import { z } from 'zod';
import { holdField } from '../graphdb/duration-field.ts';
import { beginField, endField, weekdays, zoneField } from '../graphdb/week-fields.ts';
import { severities } from '../model/alert.ts';
import type { MaintenanceSettings, Match, RouteSettings } from './alerting.ts';
import { render } from './template.ts';

/** How Prometheus wants a label to be called; a match by any other name would never come true. */
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The name of a label. */
export const labelNameField = z.string().regex(labelName, { error: 'is no name of a label' });

/** A page shall not wait for company. */
const pageWait = 0;
const usualWait = 30_000;

/** Labels, each with the value or the values that it may have: a text or a list of texts in, lists out. */
export const matchField = z
  .record(z.string(), z.union([z.string(), z.array(z.string()).min(1)], { error: 'is no text and no list of texts' }), {
    error: ({ input }) => (input === undefined ? 'is missing' : 'is no mapping of labels to values'),
  })
  .transform((given, context): Match => {
    const match = Object.fromEntries(
      Object.entries(given).map(([name, values]) => [name, typeof values === 'string' ? [values] : values]),
    );
    for (const [name, message] of complaintsAbout(match)) {
      context.issues.push({ code: 'custom', message, path: [name], input: '' });
    }
    return match;
  })
  .meta({ examples: [{ severity: 'critical', cluster_name: ['prod', 'test'] }] });

function* complaintsAbout(match: Match): Generator<readonly [string, string]> {
  const known: readonly string[] = severities;
  for (const [name, values] of Object.entries(match)) {
    if (!labelName.test(name)) yield [name, 'is no name of a label'];
    else if (name === 'severity' && !values.every((value) => known.includes(value)))
      yield [name, `is no severity: write ${known.join(', ')}`];
  }
}

const routeFields = {
  match: matchField
    .prefault({})
    .describe('Labels that an alert has to have, each with a value or a list of values; all alerts when absent.'),
  receivers: z
    .array(z.string().min(1))
    .min(1)
    .describe('Names of the receivers that are told.')
    .meta({ examples: [['oncall', 'chat']] }),
  group_by: z
    .array(labelNameField)
    .prefault(['alertname', 'cluster_name'])
    .describe('Labels by whose values alerts are told together; empty: all of the route together.'),
  group_wait: holdField
    .optional()
    .describe(
      'How long the first alert of a group waits for others; when absent 0s on a route for critical alerts alone, else 30s.',
    )
    .meta({ examples: ['30s'] }),
  repeat: holdField
    .prefault('4h')
    .describe('Time between two reminders of what still fires; they open no new incident. 0s: none.'),
  fallback: z
    .string()
    .min(1)
    .optional()
    .describe('Receiver that is told instead of one that is broken.')
    .meta({ examples: ['mail'] }),
  continue: z.boolean().prefault(false).describe('Whether the routes after this one are looked at too.'),
};

const route = z.strictObject(routeFields).transform((given): RouteSettings => {
  const isForPages = given.match.severity?.every((severity) => severity === 'critical') === true;
  return {
    match: given.match,
    receivers: given.receivers,
    groupBy: given.group_by,
    groupWait: given.group_wait ?? (isForPages ? pageWait : usualWait),
    repeat: given.repeat,
    ...(given.fallback === undefined ? {} : { fallback: given.fallback }),
    goesOn: given.continue,
  };
});

/** The `alerts.routes` section: who is told of what. */
export const routesSection = z
  .array(route)
  .prefault([])
  .describe('Who is told of what: the first route that matches wins.');

const allWeek = [...weekdays];

const window = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .describe('What the window is called where it holds something back.')
      .meta({ examples: ['sunday'] }),
    match: matchField
      .prefault({})
      .describe('Labels of the alerts that are held back, each with a value or a list of values; all when absent.'),
    days: z.array(z.enum(weekdays)).min(1).prefault(allWeek).describe('Days on which the window begins.'),
    from: beginField.describe('When it begins.').meta({ examples: ['02:00'] }),
    to: endField
      .describe('When it ends; on the next day where that is not after `from`.')
      .meta({ examples: ['04:00'] }),
    tz: zoneField,
  })
  .transform(
    ({ tz, days, ...given }): MaintenanceSettings => ({
      ...given,
      days: days.map((day) => weekdays.indexOf(day)),
      zone: tz,
    }),
  );

/** The `alerts.maintenance` section: windows that come again every week. */
export const maintenanceSection = z
  .array(window)
  .prefault([])
  .describe('Windows that come again every week and hold alerts back, never the news that one is over.');

/** A text of an alert with `{{name}}` for what is known of it; whether there is a value of that name shows when it is filled. */
export const templateField = z
  .string()
  .min(1)
  .refine(isClosed, { error: 'has braces that are not closed: write {{node}}' })
  .optional();

/** The `alerts.templates` section: texts of all alerts whose rules have none of their own. */
export const templatesSection = z
  .strictObject({
    summary: templateField
      .describe('The short text; `{{summary}}` stands for the one of the rule.')
      .meta({ examples: ['[{{severity}}] {{summary}}'] }),
    description: templateField
      .describe('The long text; `{{description}}` stands for the one of the rule.')
      .meta({ examples: ['{{description}} Ask the team {{team}}.'] }),
  })
  .transform(({ summary, description }) => ({
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
  }))
  .prefault({})
  .describe('Texts of alerts, instead of those of the rules.');

function isClosed(template: string): boolean {
  const names = [...template.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => [name.trim(), ''] as const);
  return render(template, Object.fromEntries(names)).ok;
}
