import { z } from 'zod';
import { abortOutcomes } from '../model/guard.ts';
import { nameField, secondsField, textField, timestampField } from './fields.ts';

/** Entry of the audit log. */
export const auditEntrySchema = z
  .object({
    kind: z.enum(['abort', 'operator_action']).describe('Whether the entry is an abort or another operator action.'),
    at: timestampField.describe('When the abort was decided, or the action happened.'),
    cluster: nameField.describe('Cluster; empty for an action that does not concern a single cluster.'),
    node: nameField.describe('Node; empty for an operator action.'),
    id: nameField.describe('Request ID of the query; empty for an operator action.'),
    graph: nameField.describe('Graph; empty for an operator action.'),
    query: nameField.describe('Query; empty for an operator action.'),
    policy: nameField.describe('Policy that aborted the query; empty for a manual abort and an operator action.'),
    policyHash: nameField.describe('Hash of the policy at the time of the abort.'),
    by: nameField.describe('Operator (user or address); empty if a policy aborted the query.'),
    reason: textField.describe('Reason that the operator gave.'),
    action: nameField.describe(
      'Action, such as `pause` or `silence`, or `start` for a start of graphwarden; empty for an abort.',
    ),
    subject: textField.describe('Subject of the action, such as the version of a start; empty for an abort.'),
    ageSeconds: secondsField.nullable().describe('Running time of the query at the decision.'),
    grantedTimeoutSeconds: secondsField.nullable().describe('Timeout that the server granted to the client.'),
    matchedAt: timestampField.nullable().describe('Match time: when all conditions of the policy were met.'),
    earliestAbortAt: timestampField.nullable().describe('Earliest abort time: match time and grace period.'),
    firstSeenAt: timestampField.nullable().describe('When the first list that contains the query was requested.'),
    lastSeenAt: timestampField.nullable().describe('When the last list that contains the query was requested.'),
    pressures: z.record(nameField, z.number()).describe('Values of the gate conditions of the policy.'),
    notify: z.array(nameField).max(1000).readonly().describe('Receivers that the policy names.'),
    outcome: z
      .enum(['', ...abortOutcomes])
      .describe('Outcome of the abort; empty while it is unknown and for an operator action.'),
    endedAt: timestampField.nullable().describe('When the outcome was known.'),
    skipReason: nameField.describe('Why the guard withdrew the abort, or does not know its outcome.'),
    replayCommand: textField.describe(
      'Command that replays the process lists around the abort; empty if they are not or no longer recorded, and for an operator action.',
    ),
    damaged: z.boolean().describe('Whether the stored entry is damaged; its readable fields are present.'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'Entry of the audit log: an abort with its evidence and outcome, or an operator action.',
    examples: [
      {
        kind: 'abort',
        at: '2026-01-31T12:00:00.000Z',
        cluster: 'prod',
        node: 'm1',
        id: '7.RESTPP_1_1.1790000000000.N',
        graph: 'fraud',
        query: 'ring_scan',
        policy: 'runaway',
        policyHash: '0123456789ab',
        by: '',
        reason: '',
        action: '',
        subject: '',
        ageSeconds: 630,
        grantedTimeoutSeconds: 600,
        matchedAt: '2026-01-31T11:59:30.000Z',
        earliestAbortAt: '2026-01-31T12:00:00.000Z',
        firstSeenAt: '2026-01-31T11:49:30.000Z',
        lastSeenAt: '2026-01-31T11:59:59.000Z',
        pressures: { node_memory: 0.93 },
        notify: ['oncall'],
        outcome: 'confirmed',
        endedAt: '2026-01-31T12:00:02.000Z',
        skipReason: '',
        replayCommand: 'graphwarden guard replay --abort 7.RESTPP_1_1.1790000000000.N',
        damaged: false,
      },
    ],
  });

/** Entry of the audit log, as the API returns it. */
export type AuditEntry = z.infer<typeof auditEntrySchema>;
