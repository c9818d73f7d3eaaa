import { parseArgs } from 'node:util';
import type { FindingKind } from '../findings.ts';
import type { RunResult } from '../oracle/evaluate.ts';
import { missedTargets, summarize } from '../report.ts';
import { runSeed } from '../run-seed.ts';

// Runs the short suite and prints its findings as one line of JSON: `{ runs, kinds: { [kind]: count } }`.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '600' },
    seed: { type: 'string', default: '0' },
    enough: { type: 'string', default: '5' },
  },
});

const verdicts: RunResult[] = [];
const kinds: Partial<Record<FindingKind, number>> = {};
let found = 0;
while (verdicts.length < Number(values.runs) && found < Number(values.enough)) {
  const verdict = runSeed(Number(values.seed) + verdicts.length);
  verdicts.push(verdict);
  for (const { kind } of verdict.findings) count(kind);
  found += verdict.findings.length;
}
if (found === 0) for (const { kind } of missedTargets(summarize(verdicts))) count(kind);
process.stdout.write(`${JSON.stringify({ runs: verdicts.length, kinds })}\n`);

function count(kind: FindingKind): void {
  kinds[kind] = (kinds[kind] ?? 0) + 1;
}
