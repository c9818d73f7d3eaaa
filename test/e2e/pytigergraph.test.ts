import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { coveredCalls, uncoveredCalls } from '../../tools/generate/client-conformance.ts';
import { findTool } from '../support/tools.ts';

const clients = findTool('python-clients');
const printed = z.object({
  version: z.string(),
  public: z.array(z.string()),
  results: z.record(z.string(), z.string()),
});
const secret = 'simulated-secret';

/** What only 4.x has, and what only a server with secrets has. */
const gateway = ['getServiceStatus', 'getSystemMetrics', 'listGraphs', 'listQueryNames', 'ping'];

async function callsTo(release: string, auth?: SimulatorOptions['auth']): Promise<z.infer<typeof printed>> {
  const options = { nodes: 1, version: release, ...(auth !== undefined && { auth }) };
  const simulator = await startSimulator(options, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const [node] = simulator.nodes;
  const script = join(import.meta.dirname, 'pytigergraph.py');
  const args = [script, node?.url ?? '', 'fraud', release, ...(auth === undefined ? [] : [secret])];
  const { stdout } = await promisify(execFile)(join(clients ?? '', 'bin', 'python'), args);
  return printed.parse(JSON.parse(stdout));
}

it.skipIf(clients === undefined)('pyTigerGraph passes every covered call, and the table names all others', async () => {
  const [current, protectedServer, legacy] = await Promise.all([
    callsTo('4.1.2'),
    callsTo('4.3.0', { kind: 'secret', secret }),
    callsTo('3.9.3'),
  ]);
  const covered = Object.keys(coveredCalls);
  expect(protectedServer.results).toEqual(passed(covered));
  expect(current.results).toEqual(passed(covered.filter((call) => call !== 'getToken')));
  expect(legacy.results).toEqual(passed(covered.filter((call) => call !== 'getToken' && !gateway.includes(call))));
  const others = Object.values(uncoveredCalls).flatMap((names) => names.split(' '));
  expect([...covered, ...others].toSorted()).toEqual(current.public.toSorted());
});

function passed(calls: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(calls.map((call) => [call, 'passed']));
}
