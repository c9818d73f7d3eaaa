import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProgram, fences } from './fences.ts';
import { databaseFaults, type FaultName, replicaFaults } from './plan.ts';
import { isSignificant, slowFaults, summaryLines } from './report.ts';
import { runScenario, type ScenarioResult } from './scenario.ts';

const usage = `npm run failover -- [options]
  --rounds 1000        number of faults
  --minutes 600        no further round begins after this time
  --per-database 20    faults per database, after which all notifications must be delivered
  --seed 1             seed of the first database; each further one adds 1
  --jobs 2             databases at the same time
  --replicas 2         daemons on each database
  --clusters 4         simulated clusters of each database
  --fault NAME         only this fault, can be repeated: ${[...replicaFaults, ...databaseFaults].join(', ')}
  --sqlite             one daemon with its state in a folder
  --without FENCE      removes a fence, can be repeated; the campaign must then fail:
${fences.map(({ name, about }) => `                         ${name}: ${about}`).join('\n')}
  --out DIR            directory for the evidence of findings; default .bench/failover
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '600' },
    'per-database': { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    replicas: { type: 'string', default: '2' },
    clusters: { type: 'string', default: '4' },
    fault: { type: 'string', multiple: true, default: [] },
    sqlite: { type: 'boolean', default: false },
    without: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join('.bench', 'failover') },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else process.exitCode = (await runCampaign()) ? 0 : 1;

/** Plays all rounds, prints the summary, and returns whether all guarantees held. */
async function runCampaign(): Promise<boolean> {
  const removed = values.without.map(fenceNamed);
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-failover-'));
  const startedAt = performance.now();
  try {
    const results = await runScenarios(await buildProgram(folder, removed));
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    process.stdout.write(`\n${summaryLines(results).join('\n')}\n${results.length} databases, ${minutes} min\n`);
    const isSafe = results.every(({ findings }) => findings.length === 0);
    const isFast = slowFaults(results.map(({ evidence }) => evidence)).length === 0;
    process.stdout.write(isSafe && isFast ? 'All guarantees held.\n' : 'NOT all guarantees held.\n');
    if (!isSignificant(results)) process.stdout.write('There were few aborts: the result is not significant.\n');
    return isSafe && isFast && isSignificant(results);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runScenarios(entry: string): Promise<readonly ScenarioResult[]> {
  const rounds = Number(values.rounds);
  const perDatabase = Number(values['per-database']);
  const latestRound = Date.now() + Number(values.minutes) * 60_000;
  const results: ScenarioResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < Math.ceil(rounds / perDatabase) && Date.now() < latestRound) {
      const index = next++;
      const result = await runScenario({
        entry,
        seed: Number(values.seed) + index,
        rounds: Math.min(perDatabase, rounds - index * perDatabase),
        latestRound,
        replicas: values.sqlite ? 1 : Number(values.replicas),
        clusters: Number(values.clusters),
        usesPostgres: !values.sqlite,
        ...(values.fault.length === 0 ? {} : { faults: values.fault.map(faultNamed) }),
      });
      results.push(result);
      await describe(result);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return results;
}

async function describe(result: ScenarioResult): Promise<void> {
  const { seed, findings, evidence, logs } = result;
  process.stdout.write(`seed ${seed}: ${evidence.faults.length} faults, ${findings.length} findings\n`);
  for (const { kind, about } of findings.slice(0, 40)) process.stdout.write(`  ${kind}: ${about.slice(0, 500)}\n`);
  if (findings.length === 0) return;
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, `seed-${seed}.json`), `${JSON.stringify({ findings, ...evidence })}\n`);
  for (const [index, log] of logs.entries()) await writeFile(join(values.out, `seed-${seed}-${index}.log`), log);
}

function fenceNamed(name: string): (typeof fences)[number] {
  const fence = fences.find((one) => one.name === name);
  if (fence === undefined) throw new Error(`no fence '${name}'; one of ${fences.map((one) => one.name).join(', ')}`);
  return fence;
}

function faultNamed(name: string): FaultName {
  const fault = [...replicaFaults, ...databaseFaults].find((one) => one === name);
  if (fault === undefined) throw new Error(`no fault '${name}'`);
  return fault;
}
