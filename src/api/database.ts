import { z } from 'zod';
import { queryStates } from '../model/inventory.ts';
import { type lineResults, loadingStates } from '../model/loading.ts';
import { countField, nameField, timestampField } from './fields.ts';

/** Types of a graph that are listed. */
export const maxTypes = 10;

/** Amount that a server counts: it may exceed what a whole number of JavaScript holds. */
const amountField = z.number().min(0);

const typesField = z
  .array(
    z
      .object({
        type: nameField.describe('Name of the type.'),
        count: amountField.describe('Number of vertices or edges of the type.'),
      })
      .meta({
        id: 'TypeCount',
        description: 'Number of vertices or edges of one type.',
        examples: [{ type: 'Account', count: 1_200_000 }],
      }),
  )
  .max(maxTypes)
  .readonly();

/** Graph and its size. */
export const graphSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    graph: nameField.describe('Graph.'),
    vertices: amountField.describe('Number of vertices.'),
    edges: amountField.describe('Number of edges.'),
    vertexTypes: typesField.describe(`The largest vertex types, at most ${maxTypes}.`),
    edgeTypes: typesField.describe(`The largest edge types, at most ${maxTypes}.`),
    otherVertexTypes: countField.describe('Number of further vertex types.'),
    otherEdgeTypes: countField.describe('Number of further edge types.'),
    asOf: timestampField.describe('When the sizes were polled.'),
  })
  .meta({
    id: 'Graph',
    description: 'Graph and its size, from the cache of the server.',
    examples: [
      {
        cluster: 'prod',
        graph: 'fraud',
        vertices: 1_250_000,
        edges: 8_100_000,
        vertexTypes: [
          { type: 'Account', count: 1_200_000 },
          { type: 'Device', count: 50_000 },
        ],
        edgeTypes: [{ type: 'transfer', count: 8_100_000 }],
        otherVertexTypes: 0,
        otherEdgeTypes: 0,
        asOf: '2026-01-31T12:00:00.000Z',
      },
    ],
  });

/** Graph, as the API returns it. */
export type GraphReport = z.infer<typeof graphSchema>;

/** Loading job and its latest run. */
export const loadingJobSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    graph: nameField.describe('Graph.'),
    job: nameField.describe('Name of the loading job; empty if the ID of the run has none.'),
    run: nameField.describe('ID of the run.'),
    state: z.enum(loadingStates).describe('State of the run; `unknown` if the server reports another state.'),
    startedAt: timestampField
      .nullable()
      .describe('When the run started, by the clock of the server; null if the server does not state it.'),
    progress: z.number().min(0).max(1).describe('Share of the input that the run has read.'),
    linesPerSecond: amountField.describe('Lines per second that a running job reads.'),
    lines: z
      .object({
        valid: amountField.describe('Loaded lines.'),
        filtered: amountField.describe('Lines that the filter of the job dropped.'),
        rejected: amountField.describe('Number of rejected lines for reasons without a separate count.'),
        too_few_tokens: amountField.describe('Rejected lines with too few tokens.'),
        invalid_json: amountField.describe('Rejected lines of invalid JSON.'),
        oversize_token: amountField.describe('Rejected lines with a token that is too long.'),
      } satisfies Record<(typeof lineResults)[number], z.ZodType>)
      .describe('Lines that the run has read, by result.'),
    asOf: timestampField.describe('When the run was polled.'),
  })
  .meta({
    id: 'LoadingJob',
    description: 'Loading job and its latest run.',
    examples: [
      {
        cluster: 'prod',
        graph: 'fraud',
        job: 'load_transfers',
        run: 'fraud.load_transfers.file.m1.1790000000000',
        state: 'running',
        startedAt: '2026-01-31T11:40:00.000Z',
        progress: 0.42,
        linesPerSecond: 52_000,
        lines: { valid: 61_000_000, filtered: 0, rejected: 120, too_few_tokens: 0, invalid_json: 0, oversize_token: 0 },
        asOf: '2026-01-31T12:00:00.000Z',
      },
    ],
  });

/** Loading job, as the API returns it. */
export type LoadingJobReport = z.infer<typeof loadingJobSchema>;

/** Definition of a query. */
export const queryDefinitionSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    graph: nameField.describe('Graph.'),
    query: nameField.describe('Name of the query.'),
    state: z
      .enum(queryStates)
      .describe(
        'State of the definition; the server refuses to run a query that is `invalid` or `disabled`, and cannot run one that is `installing` or a `draft`.',
      ),
    asOf: timestampField.describe('When the definitions were polled.'),
  })
  .meta({
    id: 'QueryDefinition',
    description: 'Definition of a query, without its text.',
    examples: [
      { cluster: 'prod', graph: 'fraud', query: 'ring_scan', state: 'invalid', asOf: '2026-01-31T12:00:00.000Z' },
    ],
  });

/** Definition of a query, as the API returns it. */
export type QueryDefinitionReport = z.infer<typeof queryDefinitionSchema>;
