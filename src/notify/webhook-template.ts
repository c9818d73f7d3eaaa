import { z } from 'zod';
import { formatTimestamp } from '../kernel/timestamp.ts';
import type { Alert } from '../model/alert.ts';
import { alertText } from './alert-text.ts';
import { type AlertText, incidentId, isHttpUrl, truncate } from './notification-text.ts';
import type { AlertsRequest, Detail } from './notifier.ts';

/** Labels that a template may refer to by their name; empty if the alert does not have them. */
const labelNames = [
  'alertname',
  'cluster_name',
  'node',
  'host_id',
  'service_name',
  'partition',
  'replica',
  'graph',
  'query',
] as const;

/** Names in a template other than those of labels, with their meanings. */
const textNames = {
  status: '`firing` or `resolved`',
  state: 'state and severity, such as `FIRING critical`, `STILL FIRING critical` or `RESOLVED critical after 12m`',
  severity: '`critical`, `warning` or `info`',
  summary: 'the summary in one line',
  description: 'the description, the effects and the events shortly before',
  labels: 'all labels as `a=1, b=2`',
  period: '`since …`, and `until …` if it is resolved',
  starts_at: 'start, RFC 3339',
  ends_at: 'end, RFC 3339; empty while it fires',
  incident: 'id of the incident, for deduplication: the same in all notifications of the incident',
  incident_short: 'short id of the incident, for texts',
  rule: 'name of the rule',
  runbook_url: 'address of the runbook entry',
  dashboard_url: 'address of the dashboard',
  url: 'address of the alert in graphwarden; requires `external_url`',
  receiver: 'name of the receiver',
} as const;

/** The closed set of names in a template. */
export const webhookTemplateNames: readonly string[] = [...Object.keys(textNames), ...labelNames];

/** Meaning of each name for the documents. */
export const webhookTemplateMeanings: readonly (readonly [name: string, meaning: string])[] = [
  ...Object.entries(textNames),
  ...labelNames.map((name) => [name, 'label of the alert; empty if it does not have it'] as const),
];

/** Values by name: text, or a number or a boolean that keeps its type if the text is nothing but the placeholder. */
export type TemplateValues = Readonly<Record<string, string | number | boolean>>;

const maxDescription = 4000;

/** Returns the values for one alert. */
export function templateValues(
  request: AlertsRequest,
  alert: Alert,
  { detail, name }: { readonly detail: Detail; readonly name: string },
): TemplateValues {
  const { annotations, labels, status, severity, rule, startsAt, endsAt, generatorUrl } = alert;
  const text = alertText(alert, request, detail);
  const address = (url: string | undefined): string => (detail === 'full' && isHttpUrl(url) ? url : '');
  const texts: Record<keyof typeof textNames, string> = {
    status,
    state: text.state,
    severity,
    summary: text.headline,
    description: descriptionOf(text),
    labels: truncate(text.labels, 1000),
    period: text.period,
    starts_at: formatTimestamp(startsAt),
    ends_at: endsAt === undefined ? '' : formatTimestamp(endsAt),
    incident: incidentId(alert),
    incident_short: text.id,
    rule,
    runbook_url: address(annotations.runbook_url),
    dashboard_url: address(annotations.dashboard_url),
    url: address(generatorUrl),
    receiver: name,
  };
  return { ...Object.fromEntries(labelNames.map((label) => [label, truncate(labels[label] ?? '', 250)])), ...texts };
}

function descriptionOf({ paragraphs, lists }: AlertText): string {
  const items = lists.flatMap(({ title, items: lines }) => [`${title}:`, ...lines.map((line) => `- ${line}`)]);
  return truncate([...paragraphs, ...items].join('\n'), maxDescription);
}

const placeholder = /\{\{\s*([^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g;
const single = /^\{\{\s*([^{}|]*?)\s*\}\}$/;
const filter = /^\s*truncate\s+(\d{1,5})\s*$/;

/** Replaces each `{{name}}` and `{{name | truncate 100}}`; `encode` applies to each value. */
export function renderText(template: string, values: TemplateValues, encode = (text: string): string => text): string {
  return template.replace(placeholder, (_, name: string, cut: string | undefined) => {
    const text = String(values[name] ?? '');
    const most = Number(filter.exec(cut ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
    return encode(truncate(text, most).toWellFormed());
  });
}

/**
 * Fills a JSON template. A text that is one placeholder takes the type of its value. A member or an element whose text
 * consists of placeholders and is empty is omitted: most APIs reject an empty address.
 */
export function renderJson(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') return renderLeaf(template, values);
  if (Array.isArray(template)) {
    return template.filter((one) => !isOmitted(one, values)).map((one) => renderJson(one, values));
  }
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).filter(([, value]) => !isOmitted(value, values));
  return Object.fromEntries(members.map(([key, value]) => [key, renderJson(value, values)]));
}

function renderLeaf(template: string, values: TemplateValues): string | number | boolean {
  const name = single.exec(template)?.[1];
  const value = name === undefined ? undefined : values[name];
  return typeof value === 'number' || typeof value === 'boolean' ? value : renderText(template, values);
}

function isOmitted(template: unknown, values: TemplateValues): boolean {
  if (typeof template !== 'string' || template === '') return false;
  return template.replace(placeholder, '').trim() === '' && String(renderLeaf(template, values)).trim() === '';
}

/** A name in a template and the path to its text. */
export interface TemplateReference {
  readonly path: readonly (string | number)[];
  readonly name: string;
}

/** Returns the names in the texts of a template. */
export function referencesIn(template: unknown): readonly TemplateReference[] {
  if (typeof template === 'string')
    return [...template.matchAll(placeholder)].map(([, name = '']) => ({ path: [], name }));
  return childrenOf(template).flatMap(([key, value]) =>
    referencesIn(value).map(({ path, name }) => ({ path: [key, ...path], name })),
  );
}

/** Returns the constant parts of a JSON template: its leaves without placeholders; undefined if there are none. */
export function constantParts(template: unknown): unknown {
  if (typeof template === 'string') return template.search(placeholder) < 0 ? template : undefined;
  if (typeof template !== 'object' || template === null) return template;
  const parts = childrenOf(template)
    .map(([key, child]) => [key, constantParts(child)] as const)
    .filter(([, part]) => part !== undefined);
  if (parts.length === 0) return undefined;
  if (Array.isArray(template)) return parts.map(([, part]) => part);
  return Object.fromEntries(parts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the constant parts of a path with a query string: the path without its placeholders, and the constant parameters. */
export function constantPathParts(template: string): readonly string[] {
  const [path = '', query = ''] = template.split('?', 2);
  const parameters = query.split('&').filter((one) => one.search(placeholder) < 0);
  return [path.replace(placeholder, '{{}}'), ...parameters.toSorted()];
}

function childrenOf(template: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(template)) return template.map((value: unknown, at) => [at, value] as const);
  return typeof template === 'object' && template !== null ? Object.entries(template) : [];
}

/** Returns what is wrong with the placeholders of a text. */
function textProblem(text: string): string | undefined {
  if (/\{\{|\}\}/.test(text.replace(placeholder, ''))) return 'has {{ without }}, or }} without {{';
  const cuts = [...text.matchAll(placeholder)].map(([, , cut]) => cut).filter((cut) => cut !== undefined);
  return cuts.every((cut) => Number(filter.exec(cut)?.[1] ?? 0) > 0)
    ? undefined
    : 'has an unknown filter; the only one is `truncate N`, for example {{summary | truncate 130}}';
}

/** A text with placeholders. */
export const templateText = z
  .string()
  .max(2000)
  .refine((text) => textProblem(text) === undefined, { error: ({ input }) => textProblem(String(input)) ?? '' });

const maxDepth = 16;
const maxBytes = 64 * 1024;

/** A JSON object with placeholders in its texts: what it expands to is valid JSON, whatever the alert contains. */
export const jsonTemplate = z
  .unknown()
  .transform((given, context): Readonly<Record<string, unknown>> => {
    for (const { path, message } of bodyProblems(given)) {
      context.issues.push({ code: 'custom', message, path: [...path], input: '' });
    }
    return isMapping(given) ? given : {};
  })
  .meta({ title: 'JSON', type: 'object' });

interface BodyProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function bodyProblems(given: unknown): readonly BodyProblem[] {
  if (typeof given === 'string') return [{ path: [], message: jsonTextProblem(given) }];
  if (!isMapping(given)) return [{ path: [], message: 'must be a mapping: the JSON object to send' }];
  const problems = [...valueProblems(given, 0)];
  if (problems.length > 0 || JSON.stringify(given).length <= maxBytes) return problems;
  return [{ path: [], message: `must be at most ${maxBytes} bytes of JSON` }];
}

/** Returns why a text is rejected: a mapping is required. The message names the position of a JSON syntax error. */
function jsonTextProblem(text: string): string {
  try {
    JSON.parse(text);
    return 'is a text; remove the quotes or the | around the JSON, so that it is a mapping';
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const position = at === undefined ? '' : ` at ${lineAndColumn(text, Number(at))}`;
    return `is a text, and not valid JSON${position}; write a mapping, with each placeholder in quotes`;
  }
}

function lineAndColumn(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function* valueProblems(value: unknown, depth: number): Generator<BodyProblem> {
  const message = leafProblem(value, depth);
  if (message !== undefined) yield { path: [], message };
  else {
    for (const [key, child] of childrenOf(value)) {
      for (const found of valueProblems(child, depth + 1)) yield { ...found, path: [key, ...found.path] };
    }
  }
}

function leafProblem(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'is not a number that JSON can contain';
  const isJson = value === null || typeof value === 'boolean' || Array.isArray(value) || isMapping(value);
  return isJson ? undefined : 'is not a value that JSON can contain; write it in quotes';
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
