import { closed, count, flag, implies, listOf, oneOf, text } from './kubernetes-schemas.ts';
import type { JsonSchema } from './value.ts';

/** Parts of the objects of the Prometheus operator, as its definitions describe them. */

const names = listOf({ type: 'string', pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' });
/** A duration of Prometheus: the units from long to short, each once. */
const durationPattern = '0|([0-9]+y)?([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?';
const duration: JsonSchema = { type: 'string', pattern: `^(${durationPattern})$` };

const actions = {
  replace: ['replace', 'Replace'],
  hashmod: ['hashmod', 'HashMod'],
  labels: ['labelmap', 'LabelMap', 'labeldrop', 'LabelDrop', 'labelkeep', 'LabelKeep'],
  filters: ['keep', 'Keep', 'drop', 'Drop'],
  targets: ['lowercase', 'Lowercase', 'uppercase', 'Uppercase', 'keepequal', 'KeepEqual', 'dropequal', 'DropEqual'],
};

/** A relabeling rule. Prometheus requires the target of those that write a label. */
export const relabeling: JsonSchema = {
  ...closed({
    action: oneOf(...Object.values(actions).flat()),
    modulus: count,
    regex: text,
    replacement: text,
    separator: text,
    sourceLabels: names,
    targetLabel: text,
  }),
  allOf: [
    implies(
      { properties: { action: { enum: [...actions.replace, ...actions.targets] } } },
      { required: ['targetLabel'] },
    ),
    implies(
      { required: ['action'], properties: { action: { enum: actions.hashmod } } },
      { required: ['targetLabel', 'modulus'], properties: { modulus: { minimum: 1 } } },
    ),
  ],
};

const keyReference = closed({ name: text, key: text, optional: flag }, 'name', 'key');
const certificate = { ...closed({ configMap: keyReference, secret: keyReference }), maxProperties: 1 };
const version = oneOf('TLS10', 'TLS11', 'TLS12', 'TLS13');

/** The TLS configuration of a monitor. Only a ServiceMonitor may name files of Prometheus. */
export function monitorTls(isService: boolean): JsonSchema {
  return closed({
    ca: certificate,
    cert: certificate,
    keySecret: keyReference,
    ...(isService ? { caFile: text, certFile: text, keyFile: text } : {}),
    serverName: text,
    insecureSkipVerify: flag,
    minVersion: version,
    maxVersion: version,
  });
}

/** Basic authentication. */
export const basicAuth = closed({ username: keyReference, password: keyReference });
/** Authorization with a token. */
export const authorization = closed({ type: text, credentials: keyReference });

const labels = { type: 'object', additionalProperties: text };

/** A group of rules. */
export const ruleGroup = closed(
  {
    name: { type: 'string', minLength: 1 },
    interval: duration,
    query_offset: duration,
    limit: count,
    partial_response_strategy: { type: 'string', pattern: '^([aA][bB][oO][rR][tT]|[wW][aA][rR][nN])?$' },
    labels,
    rules: listOf({
      ...closed(
        {
          alert: text,
          record: text,
          expr: { type: ['string', 'integer'] },
          for: duration,
          keep_firing_for: { ...duration, minLength: 1 },
          labels,
          annotations: labels,
        },
        'expr',
      ),
      oneOf: [{ required: ['alert'] }, { required: ['record'] }],
    }),
  },
  'name',
);
