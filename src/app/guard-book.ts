import type { GuardOutput, Intent } from '../guard/decision/output.ts';
import { intentChange, outcomeChange } from '../guard/keeping/abort-rows.ts';
import { policyHash } from '../guard/keeping/policy-hash.ts';
import { standingChanges } from '../guard/keeping/standing-rows.ts';
import type { GuardSettings } from '../guard/policy.ts';
import type { Digest } from '../kernel/digest.ts';
import type { Change } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';

/** What the rows of a cluster are made with. */
export interface BookParts {
  readonly cluster: string;
  readonly guard: GuardSettings;
  readonly digest: Digest;
  readonly now: Instant;
}

/** All that a step obliges us to keep. */
export function rowsOf(outputs: readonly GuardOutput[], parts: BookParts): readonly Change[] {
  return outputs.flatMap((output) => {
    if (output.kind === 'intent') return [intentRow(output.intent, output.notify, parts)];
    if (output.kind === 'outcome') return [outcomeRow(output, parts)];
    return standingChanges(parts.cluster, output, parts.now.wall);
  });
}

function intentRow(intent: Intent, notify: readonly string[], { guard, digest }: BookParts): Change {
  const policy = guard.policies.find(({ name }) => name === intent.policy);
  const hash = policy === undefined ? '' : policyHash(policy, digest);
  const mode = intent.manual === undefined ? 'enforce' : 'manual';
  return intentChange({ ...intent, mode, policyHash: hash, notify });
}

function outcomeRow(
  { key, outcome, at, doubt }: Extract<GuardOutput, { readonly kind: 'outcome' }>,
  { cluster }: BookParts,
): Change {
  return outcomeChange({ cluster, key }, { outcome, at, ...(doubt === undefined ? {} : { doubt }) });
}
