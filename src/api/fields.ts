import { z } from 'zod';

/** Longest name that a client accepts, in characters. Names come from configurations and monitored servers. */
const maxNameLength = 4096;
/** Longest free text that a client accepts, in characters. */
const maxTextLength = 65_536;

/** Name of a thing, such as a cluster, a node or a graph. */
export const nameField = z.string().max(maxNameLength);

/** List of names. */
export const namesField = z.array(nameField).max(1000).readonly();

/** Text that a person or a server wrote. */
export const textField = z.string().max(maxTextLength);

/** Point in time, in UTC. */
export const timestampField = z.iso.datetime();

/** Number of things. */
export const countField = z.int().min(0);

/** Length of time in seconds. */
export const secondsField = z.number();

/** Names with their values, such as the labels of an alert. */
export const labelsField = z.record(nameField, textField);

/** Number of events by their reason. */
export const countsField = z.record(nameField, countField);

/** Maximum number of items in one page of a list. */
export const maxPageSize = 1000;

/** Returns the schema of one page of a list of `item`. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).max(maxPageSize).readonly().describe('Items of this page.'),
    total: countField.describe('Number of items in all pages.'),
    limit: countField.describe('Largest number of items in this page.'),
    offset: countField.describe('Number of items before this page.'),
  });
}

/** Clusters that are missing from a response, because the replica that owns them did not respond. */
const missingClustersSchema = z
  .object({
    replica: nameField.describe('Replica that owns the clusters; empty if none does.'),
    clusters: z
      .array(nameField)
      .max(10_000)
      .readonly()
      .describe('Missing clusters; empty if alerts about graphwarden itself are missing.'),
    reason: textField.describe('Why the clusters are missing.'),
  })
  .meta({
    id: 'MissingClusters',
    description: 'Clusters that are missing from a response, because the replica that owns them did not respond.',
    examples: [
      {
        replica: 'graphwarden-1',
        clusters: ['prod'],
        reason: 'the replica graphwarden-1 at http://graphwarden-1:9916 did not answer: timeout',
      },
    ],
  });

/** Clusters that an answer lacks. */
export type MissingClusters = z.infer<typeof missingClustersSchema>;

/** Field of answers about clusters that other replicas may own. */
export const missingField = z
  .array(missingClustersSchema)
  .max(10_000)
  .readonly()
  .exactOptional()
  .describe('Missing data by replica; absent if the response is complete.');

/** Schema of an answer that may lack clusters, without its other fields. */
export const missingSchema = z.object({ missing: missingField });

/** Returns the schema of one page of a live list of `item`, which may lack the clusters of other replicas. */
export function livePageSchema<Item extends z.ZodType>(item: Item) {
  return pageSchema(item).extend({ missing: missingField });
}

/** Page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Returns the schema of the answer to an action that has nothing to return: `{"ended": true}`. */
export function doneSchema(name: string) {
  return z.object({ [name]: z.literal(true).describe('The action is done.') });
}

/** Answer to a reload of the configuration. */
export const reloadSchema = z.object({
  reloaded: z.literal(true).describe('The action is done.'),
  restartRequired: z
    .array(textField)
    .exactOptional()
    .describe('Changed settings that take effect at a restart; absent without any.'),
});

const configProblemField = z.object({
  file: textField.describe('Path of the file.'),
  line: countField.describe('Line, from 1.'),
  column: countField.describe('Column, from 1.'),
  path: textField.describe('Path of the key, such as `clusters[0].nodes[1].url`.'),
  message: textField.describe('Description of the problem.'),
  hint: textField.exactOptional().describe('Suggested fix.'),
  count: countField
    .exactOptional()
    .describe('Number of further problems, which the entry counts and does not describe.'),
});

/** Error of any request, in the format of RFC 9457. */
export const problemSchema = z
  .object({
    type: textField.describe('Always `about:blank`; the status identifies the kind of error.'),
    title: textField.describe('Name of the status.'),
    status: z.int().min(400).max(599).describe('HTTP status.'),
    detail: textField.describe('What failed, and why.'),
    problems: z
      .array(configProblemField)
      .max(10_000)
      .readonly()
      .optional()
      .describe('Problems of a configuration that was rejected, with their position in the file.'),
  })
  .meta({
    id: 'Problem',
    description: 'Error, as `application/problem+json`.',
    examples: [
      { type: 'about:blank', title: 'Not found', status: 404, detail: "Cluster 'prod' is not in the configuration." },
    ],
  });

/** Error of any request. */
export type Problem = z.infer<typeof problemSchema>;

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the JSON Schema of what `schema` accepts. Objects with an id are referenced as `#/$defs/<id>`. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // `readOnly` comes from the TypeScript types and does not describe the API; `pattern` repeats the format.
      delete jsonSchema.readOnly;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}

/** Declaration of an object or a field of the API. */
export type Schema<Value = unknown> = z.ZodType<Value>;

/** Declaration of an object of the API. */
export type ObjectSchema = z.ZodObject;
