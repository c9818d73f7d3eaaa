import { parseArgs } from 'node:util';
import type { FindingKind } from '../findings.ts';
import type { RunResult } from '../oracle/evaluate.ts';
import { kindOf, scenarioKinds } from '../plan/plan.ts';
import { missedTargets, summarize } from '../report.ts';
import { runSeed } from '../run-seed.ts';

// Runs the short suite and prints its findings as JSON: the number of runs, the findings by kind, the seeds with findings.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '600' },
    seed: { type: 'string', default: '0' },
    enough: { type: 'string', default: '5' },
    kind: { type: 'string', multiple: true, default: [...scenarioKinds] },
  },
});

const verdicts: RunResult[] = [];
const kinds: Partial<Record<FindingKind, number>> = {};
let found = 0;
for (
  let seed = Number(values.seed);
  verdicts.length < Number(values.runs) && found < Number(values.enough);
  seed += 1
) {
  if (!values.kind.includes(kindOf(seed))) continue;
  const verdict = runSeed(seed);
  verdicts.push(verdict);
  for (const { kind } of verdict.findings) count(kind);
  found += verdict.findings.length;
}
if (found === 0) for (const { kind } of missedTargets(summarize(verdicts))) count(kind);
const seeds = verdicts.flatMap(({ seed, findings }) => (findings.length === 0 ? [] : [seed]));
process.stdout.write(`${JSON.stringify({ runs: verdicts.length, kinds, seeds })}\n`);

function count(kind: FindingKind): void {
  kinds[kind] = (kinds[kind] ?? 0) + 1;
}
