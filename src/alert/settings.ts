import { z } from 'zod';
import {
  durationField,
  endTimeField,
  nonNegativeDurationField,
  startTimeField,
  timeZoneField,
  weekdays,
} from '../graphdb/settings-fields.ts';
import type { InhibitRuleSettings, MaintenanceSettings, RouteSettings } from './alerting.ts';
import { type Matcher, readMatcher } from './matcher.ts';
import { hasClosedBraces } from './templates.ts';

/** Label names that Prometheus accepts; a matcher with another name would never match. */
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The name of a label. */
export const labelNameField = z.string().regex(labelName, { error: 'is not a label name' });

/** Group wait of critical alerts: a page is sent without delay. */
const criticalGroupWait = 0;
const defaultGroupWait = 30_000;

/** A matcher as Alertmanager writes it: a text in, a matcher out. */
export const matcherField = z
  .string({ error: 'is not a string; write it in quotes, as \'severity="critical"\'' })
  .transform((given, context): Matcher => {
    const matcher = readMatcher(given);
    if (matcher.ok) return matcher.value;
    context.issues.push({ code: 'custom', message: matcher.error, input: '' });
    return z.NEVER;
  });

/** List of matchers; an alert must match all of them. */
export const matchersField = z
  .array(matcherField, { error: ({ input }) => (input === undefined ? 'is missing' : 'must be a list of matchers') })
  .meta({ examples: [['severity="critical"', 'cluster_name=~"prod|test"']] });

const routeFields = {
  matchers: matchersField
    .prefault([])
    .describe('Label matchers with =, !=, =~ or !~; an alert must match all of them. If omitted, every alert matches.'),
  receivers: z
    .array(z.string().min(1))
    .describe('Names of the receivers to notify; an empty list drops the alerts without a notification.')
    .meta({ examples: [['oncall', 'chat']] }),
  group_by: z
    .array(labelNameField)
    .prefault(['alertname', 'cluster_name'])
    .describe(
      'Labels by whose values alerts are grouped into one notification. An empty list groups all alerts of the route.',
    ),
  group_wait: nonNegativeDurationField
    .optional()
    .describe(
      'How long the first alert of a group waits for others. Default: 0s if the route matches only critical alerts, otherwise 30s.',
    )
    .meta({ examples: ['30s'] }),
  group_interval: durationField
    .prefault('5m')
    .describe(
      'Maximum time that an alert waits if its group was already notified. Critical alerts, and all alerts of a route with a `group_wait` of 0s, wait only `group_wait`.',
    ),
  repeat_interval: nonNegativeDurationField
    .prefault('4h')
    .describe(
      'Time between two reminders of a firing incident; a reminder does not open a new incident. `0s` disables reminders.',
    ),
  fallback: z
    .string()
    .min(1)
    .optional()
    .describe('Receiver to notify when a receiver of the route fails.')
    .meta({ examples: ['mail'] }),
  continue: z
    .boolean()
    .prefault(false)
    .describe('Whether an alert that matches this route is also compared with the following routes.'),
};

function isForCriticalAlerts({ name, operator, value }: Matcher): boolean {
  return name === 'severity' && operator === '=' && value === 'critical';
}

const route = z.strictObject(routeFields).transform((given): RouteSettings => {
  const ownDefault = given.matchers.some(isForCriticalAlerts) ? criticalGroupWait : defaultGroupWait;
  return {
    matchers: given.matchers,
    receivers: given.receivers,
    groupBy: given.group_by,
    groupWait: given.group_wait ?? ownDefault,
    groupInterval: given.group_interval,
    repeatInterval: given.repeat_interval,
    ...(given.fallback === undefined ? {} : { fallback: given.fallback }),
    continues: given.continue,
  };
});

/** The `alerts.routes` section: which receivers are notified of which alerts. */
export const routesSection = z
  .array(route)
  .prefault([])
  .describe(
    'Routes of alerts to receivers: the first route that matches applies. The last route must match every alert. Without routes, every receiver gets every alert.',
  );

const allWeek = [...weekdays];

const maintenanceWindow = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .describe('Name of the window, shown with the alerts that it mutes.')
      .meta({ examples: ['sunday'] }),
    matchers: matchersField
      .prefault([])
      .describe(
        'Label matchers of the alerts to mute; an alert must match all of them. If omitted, every alert matches.',
      ),
    days: z.array(z.enum(weekdays)).min(1).prefault(allWeek).describe('Days on which the window begins.'),
    from: startTimeField.describe('Local time at which the window begins.').meta({ examples: ['02:00'] }),
    to: endTimeField
      .describe('Local time at which the window ends; on the next day if it is not after `from`.')
      .meta({ examples: ['04:00'] }),
    tz: timeZoneField,
  })
  .transform(
    ({ tz, days, ...given }): MaintenanceSettings => ({
      ...given,
      days: days.map((day) => weekdays.indexOf(day)),
      zone: tz,
    }),
  );

/** The `alerts.maintenance` section: weekly maintenance windows. */
export const maintenanceSection = z
  .array(maintenanceWindow)
  .prefault([])
  .describe('Weekly windows that mute firing notifications. Resolved notifications are still sent.');

const someMatchers = matchersField.refine((matchers) => matchers.length > 0, {
  error: 'must have at least 1 matcher: otherwise it matches every alert',
});

const inhibitRule = z
  .strictObject({
    source_matchers: someMatchers
      .describe('Label matchers of the alerts that inhibit others while they fire.')
      .meta({ examples: [['alertname="GraphdbClusterDown"']] }),
    target_matchers: someMatchers
      .describe('Label matchers of the alerts that are inhibited.')
      .meta({ examples: [['severity=~"warning|info"']] }),
    equal: z
      .array(labelNameField)
      .prefault([])
      .describe(
        'Labels that must have the same values on source and target. If empty, a source inhibits targets of all clusters.',
      )
      .meta({ examples: [['cluster_name']] }),
  })
  .transform(
    (given): InhibitRuleSettings => ({
      sourceMatchers: given.source_matchers,
      targetMatchers: given.target_matchers,
      equal: given.equal,
    }),
  );

/** The `alerts.inhibit_rules` section. */
export const inhibitRulesSection = z
  .array(inhibitRule)
  .prefault([])
  .describe(
    'Inhibitions as in Alertmanager, in addition to the built-in ones: firing notifications of the targets are muted while a source fires.',
  );

/** Text of an alert with `{{name}}` for a label or a fact; the names are checked across the configuration. */
export const templateField = z
  .string()
  .min(1)
  .refine(hasClosedBraces, { error: 'has braces that are not closed: write {{node}}' })
  .optional();

/** The `alerts.templates` section: texts of all alerts whose rules have none of their own. */
export const templatesSection = z
  .strictObject({
    summary: templateField
      .describe('Template of the summary; `{{summary}}` is the summary of the rule.')
      .meta({ examples: ['[{{severity}}] {{summary}}'] }),
    description: templateField
      .describe('Template of the description; `{{description}}` is the description of the rule.')
      .meta({ examples: ['{{description}} Ask the team {{team}}.'] }),
  })
  .transform(({ summary, description }) => ({
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
  }))
  .prefault({})
  .describe('Texts of all alerts, which replace those of the rules.');
