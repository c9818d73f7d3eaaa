import { z } from 'zod';
import { receivers } from './receivers/all.ts';
import type { ReceiverEndpoint, ReceiverSettings } from './settings.ts';

const kinds = receivers.map(({ kind }) => kind);
const kindList = `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`;
const pagers = new Set(receivers.filter(({ traits }) => traits.isPager === true).map(({ kind }) => kind));

const sections: Readonly<Record<string, z.ZodType<ReceiverEndpoint | undefined>>> = Object.fromEntries(
  receivers.map(({ kind, about, section }) => [kind, section.optional().describe(about)]),
);

const commonFields = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
      error: 'must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
    })
    .describe('Name in routes and in the label `receiver` of metrics.')
    .meta({ examples: ['oncall'] }),
  heartbeat: z
    .boolean()
    .prefault(false)
    .describe(
      'Sends the watchdog alert to this receiver once a minute, for a service that alerts when the heartbeat stops.',
    ),
};

const receiver = z.strictObject({ ...commonFields, ...sections }).transform((given, context): ReceiverSettings => {
  const { name, heartbeat } = given;
  const byKind: Readonly<Record<string, unknown>> = given;
  const [endpoint, ...others] = kinds.map((kind) => byKind[kind]).filter(isEndpoint);
  const isOne = endpoint !== undefined && others.length === 0;
  const isPager = isOne && pagers.has(endpoint.kind);
  if (isOne && !(heartbeat && isPager)) return { name, heartbeat, ...endpoint, ...(isPager ? { isPager } : {}) };
  const message = isOne
    ? 'pages people: a heartbeat there is an incident that never ends'
    : `needs exactly one of ${kindList}`;
  context.issues.push({ code: 'custom', message, input: '' });
  return z.NEVER;
});

/** Returns whether the section of a kind is present; its schema has validated it. */
function isEndpoint(value: unknown): value is ReceiverEndpoint {
  return value !== undefined;
}

/** `alerts.receivers`: where notifications are sent. */
export const receiversSection = z.array(receiver).prefault([]).describe('Receivers of notifications.');
