import { z } from 'zod';
import { probeFailureReasons } from '../collect/probes/probe.ts';
import { probePhases, probeTaskKinds } from '../model/probe.ts';
import { countField, nameField, secondsField, textField, timestampField } from './fields.ts';

const shareField = z.number().min(0).max(1);

/** Probe on one node or cluster, with its last run. */
export const probeSchema = z
  .object({
    cluster: nameField.describe('Cluster.'),
    probe: nameField.describe('Name of the probe.'),
    kind: z.enum(probeTaskKinds).describe('Kind of the probe.'),
    graph: nameField.describe('Graph on which the probe runs.'),
    node: nameField.describe('Node on which the probe runs; empty if it runs on any healthy node.'),
    source: nameField.describe('Node of the last run; empty before the first one, and if no node was available.'),
    state: z
      .enum(['healthy', 'failing', 'unknown'])
      .describe('Result of the last run; `unknown` before the first one, and if the result is old.'),
    reason: z
      .enum(['', ...probeFailureReasons])
      .describe(
        'Why the last run failed: reason of the failed request, or the failed assertion; empty if the run succeeded.',
      ),
    message: textField.describe('What failed; empty if the last run succeeded.'),
    advice: textField.describe('What to check or change; empty if the last run succeeded.'),
    lastRun: timestampField.nullable().describe('When the last run ended.'),
    validUntil: timestampField.nullable().describe('When the result of the last run becomes old.'),
    durationSeconds: secondsField.nullable().describe('Duration of the last run.'),
    limitSeconds: secondsField.describe('Duration above which a run fails.'),
    phases: z
      .partialRecord(z.enum(probePhases), secondsField)
      .describe('Durations in seconds of the phases of the last run.'),
    resultAgeSeconds: secondsField
      .nullable()
      .describe('Age of the timestamp that `assert.age` selects in the result; null without one.'),
    objective: shareField.describe('Target share of successful runs.'),
    windowSeconds: secondsField.describe('Window over which `successRatio` is computed.'),
    successRatio: shareField
      .nullable()
      .describe('Share of the runs that succeeded in the window, or since the start; null without a run.'),
    runs: countField.describe('Runs since the start.'),
    failures: countField.describe('Failed runs since the start.'),
    nextRun: timestampField.nullable().describe('When the next run is due; null during a run.'),
  })
  .meta({
    id: 'Probe',
    description: 'Probe on one node or cluster, with its last run. Runs on request are not included.',
    examples: [
      {
        cluster: 'prod',
        probe: 'ring_scan',
        kind: 'installed_query',
        graph: 'fraud',
        node: '',
        source: 'm1',
        state: 'failing',
        reason: 'count',
        message: "'0.rings' has 0 entries, fewer than min (1)",
        advice:
          'Find what changed the data on the server; if the data is right, correct assert.count of the probe ring_scan.',
        lastRun: '2026-01-31T12:00:00.000Z',
        validUntil: '2026-01-31T12:03:00.000Z',
        durationSeconds: 0.25,
        limitSeconds: 2,
        phases: { queue: 0, response: 0.248 },
        resultAgeSeconds: null,
        objective: 0.99,
        windowSeconds: 86_400,
        successRatio: 0.985,
        runs: 1440,
        failures: 22,
        nextRun: '2026-01-31T12:01:00.000Z',
      },
    ],
  });

/** Probe, as the API returns it. */
export type ProbeReport = z.infer<typeof probeSchema>;
