import { z } from 'zod';
import { heartbeatCleanup } from '../../graphdb/endpoints/heartbeat.ts';
import { durationField } from '../../graphdb/settings-fields.ts';
import type { Millis } from '../../kernel/time.ts';
import type { ProbeTask } from '../../model/probe.ts';
import type { CollectorSettings } from '../../model/settings.ts';
import { graphName, nodesField } from '../custom/settings.ts';
import { statementProblem } from '../custom/statement.ts';
import { assertionsSection } from './assertion-settings.ts';
import { probeKinds } from './kinds/all.ts';
import type { Assertions, Probe, ProbeObjective } from './probe.ts';

/** Minimum intervals: a run costs the server a request, and a heartbeat also a write. */
const minInterval: Millis = 5000;
const minHeartbeatInterval: Millis = 10_000;

/** Time for the result of a run to arrive after its timeout. */
const timeoutMargin: Millis = 1000;
const staleAfterIntervals = 3;

const kindNames = probeKinds.map(({ name }) => name);
const kindList = `${kindNames.slice(0, -1).join(', ')} or ${kindNames.at(-1)}`;

const kindSections: Readonly<Record<string, z.ZodType<ProbeTask | undefined>>> = Object.fromEntries(
  probeKinds.map(({ name, about, privilege, cost, section }) => [
    name,
    section.optional().describe(`${about} Privilege: ${privilege}. Cost: ${cost}.`),
  ]),
);

const minWindow: Millis = 300_000;
const maxWindow: Millis = 30 * 86_400_000;

const objectiveSection = z
  .strictObject({
    objective: z
      .number()
      .refine((share) => share > 0 && share < 1, { error: 'must be a share between 0 and 1, such as 0.99' })
      .prefault(0.99)
      .describe('Target share of successful runs.'),
    window: durationField
      .refine((length) => length >= minWindow && length <= maxWindow, { error: 'must be 5m to 30d' })
      .prefault('1h')
      .describe('Window over which `graphdb_probe_success_ratio` is computed, 5m to 30d.'),
  })
  .prefault({})
  .describe('Service level objective of the probe. It raises no alert by itself; docs/probes.md has a burn rate rule.');

const commonFields = {
  name: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,47}$/, {
      error: 'must be 1 to 48 lower-case letters, digits or underscores, without a digit at the start',
    })
    .describe(
      'Name of the probe: value of the label `probe`, and of the parameter `module` of `/probe`. Its collector is named `probe_` followed by this name.',
    )
    .meta({ examples: ['ring_scan'] }),
  graph: graphName.describe('Graph on which the probe runs.').meta({ examples: ['fraud'] }),
  interval: durationField
    .prefault('1m')
    .describe('Interval between two runs, at least 5s, or 10s for a write heartbeat.'),
  timeout: durationField
    .prefault('10s')
    .describe('Time after which a run fails; the server ends the query after the same time. At most the interval.'),
  assert: assertionsSection,
  slo: objectiveSection,
  nodes: nodesField
    .prefault('one')
    .describe('`one`: any healthy node; `all`, or a list: each of these nodes, which the label `node` names.'),
  clusters: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Clusters that the probe runs on; all if omitted.')
    .meta({ examples: [['prod']] }),
};

const probe = z.strictObject({ ...commonFields, ...kindSections }).transform((given, context): Probe => {
  const byKind: Readonly<Record<string, unknown>> = given;
  const [task, ...others] = kindNames.map((name) => byKind[name]).filter(isTask);
  if (task === undefined || others.length > 0) {
    context.issues.push({ code: 'custom', message: `needs exactly one of ${kindList}`, input: '' });
    return z.NEVER;
  }
  const problems = [...timingProblems(given, task), ...taskProblems(given, task)];
  for (const { path, message } of problems)
    context.issues.push({ code: 'custom', message, path: [...path], input: '' });
  return problems.length === 0 ? toProbe(given, task) : z.NEVER;
});

/** Whether a key of a kind is set. The schema of the kind has already created the task. */
function isTask(value: unknown): value is ProbeTask {
  return value !== undefined;
}

interface GivenProbe {
  readonly name: string;
  readonly graph: string;
  readonly interval: Millis;
  readonly timeout: Millis;
  readonly assert: Assertions;
  readonly slo: ProbeObjective;
  readonly nodes: Probe['nodes'];
  readonly clusters?: readonly string[] | undefined;
}

interface KeyProblem {
  readonly path: readonly string[];
  readonly message: string;
}

function timingProblems({ interval, timeout, assert }: GivenProbe, { kind }: ProbeTask): readonly KeyProblem[] {
  const isHeartbeat = kind === 'write_heartbeat';
  const [least, text] = isHeartbeat ? [minHeartbeatInterval, '10s'] : [minInterval, '5s'];
  return [
    ...problem(interval < least, ['interval'], `must be ${text} or longer, because each run costs the server work`),
    ...problem(timeout > interval, ['timeout'], 'must not be longer than the interval; lower it, or raise interval'),
    ...problem(
      assert.maxLatency !== undefined && assert.maxLatency > timeout,
      ['assert', 'max_latency'],
      'is longer than the timeout, so that it never fails; lower it, or raise timeout',
    ),
  ];
}

function taskProblems({ graph, nodes, assert }: GivenProbe, task: ProbeTask): readonly KeyProblem[] {
  if (task.kind === 'interpreted_query') {
    const wrong = statementProblem(task.statement, graph);
    return problem(wrong !== undefined, ['interpreted_query', 'statement'], wrong ?? '');
  }
  if (task.kind !== 'write_heartbeat') return [];
  const evaluatesResult = assert.count !== undefined || assert.age !== undefined || assert.values.length > 0;
  return [
    ...problem(
      nodes !== 'one',
      ['nodes'],
      'must be one for write_heartbeat, which reads on each node by itself; remove it',
    ),
    ...problem(evaluatesResult, ['assert'], 'may contain only max_latency for write_heartbeat, which has no result'),
  ];
}

function problem(isWrong: boolean, path: readonly string[], message: string): readonly KeyProblem[] {
  return isWrong ? [{ path, message }] : [];
}

function toProbe(given: GivenProbe, task: ProbeTask): Probe {
  const { name, graph, timeout, assert, slo, nodes, clusters } = given;
  return {
    name,
    kind: task.kind,
    request: { graph, task, timeout },
    assertions: assert,
    slo,
    nodes,
    ...(clusters === undefined ? {} : { clusters }),
    polling: pollingOf(given, task),
  };
}

function pollingOf({ interval, timeout }: GivenProbe, { kind }: ProbeTask): CollectorSettings {
  const cleanup = kind === 'write_heartbeat' ? heartbeatCleanup : 0;
  return {
    enabled: true,
    interval,
    timeout: timeout + cleanup + timeoutMargin,
    staleAfter: interval * staleAfterIntervals,
    passthrough: false,
  };
}

/** `probes`: synthetic checks. */
export const probesSection = z
  .array(probe)
  .max(100)
  .prefault([])
  .describe(
    'Synthetic checks (queries, reads, searches or a write) that run at an interval; assertions evaluate their results.',
  );
