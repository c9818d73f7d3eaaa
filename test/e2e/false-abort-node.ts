import { onTestFinished } from 'vitest';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { type EnvironmentSettings, type GuardEnvironment, startGuardEnvironment } from './guard-environment.ts';
import { openProxy } from './node-proxy.ts';

/** A stage whose node hands on no aborts. */
export interface FalseAbortNode extends GuardEnvironment {
  /** Aborts that were answered, and not handed on. */
  readonly answered: string[];
}

/** A server that says that it aborts a query, and lets it go on. */
export async function openFalseAbortNode(
  guard: Readonly<Record<string, unknown>>,
  says: (id: string) => readonly string[],
  more: Pick<EnvironmentSettings, 'clock' | 'otherClusters'> = {},
): Promise<FalseAbortNode> {
  const answered: string[] = [];
  let to = '';
  const proxy = await openProxy((path) => {
    const [, id] = /abortquery.*requestid=([^&]*)/.exec(path) ?? [];
    if (id === undefined) return { to };
    answered.push(id);
    const named = says(id).map((requestid) => ({ requestid, url: '/query/fraud/ring_scan' }));
    return { says: { error: false, message: '', results: [{ aborted_queries: named }] } };
  });
  onTestFinished(() => proxy.close());
  const environment = await startGuardEnvironment({
    ...more,
    guard,
    world: { store: memoryStore() },
    nodesOf: (nodes) => {
      to = nodes[0]?.url ?? '';
      return nodes.map(({ name, instance }) => ({ name, instance, url: proxy.url }));
    },
  });
  onTestFinished(() => environment.stop());
  return { ...environment, answered };
}
