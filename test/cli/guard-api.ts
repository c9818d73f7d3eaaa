import { pageSchema } from '../../src/api/fields.ts';
import { type QueryReport, querySchema } from '../../src/api/queries.ts';
import { guardRoutes } from '../../src/app/api/guard-routes.ts';
import { pagedReply } from '../../src/app/api/paging.ts';
import { createHandler, type Route } from '../../src/app/api/routes.ts';
import { runCli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { FakeGuardControl } from '../app/fake-guard-control.ts';
import { clusterOf, configOf } from '../app/fakes.ts';
import { policyOf } from '../guard/match-inputs.ts';
import { livePorts } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { forOperator } from '../support/open-access.ts';
import { serve } from '../support/served-listener.ts';

/** A daemon with a guard, over real HTTP. */
export async function startGuardApi() {
  const control = new FakeGuardControl();
  const plain = configOf([clusterOf('prod', ['m1'])]);
  const config = { ...plain, guard: { ...plain.guard, mode: 'enforce', policies: [policyOf()] } } as const;
  const store = memoryStore();
  const dependencies = { log: recordingLogger(), config: () => config, control: () => control, history: store };
  const queries: QueryReport[] = [];
  const { url } = await serve(
    forOperator(createHandler([...guardRoutes(dependencies), queriesRoute(queries)], () => '')),
  );
  return { control, queries, store, url };
}

function queriesRoute(queries: readonly QueryReport[]): Route {
  return {
    method: 'GET',
    path: '/api/v1/queries',
    about: 'Lists queries.',
    response: { type: 'application/json', schema: pageSchema(querySchema) },
    handle: async ({ query }) => pagedReply(queries, query, { cluster: (item) => item.cluster }),
  };
}

/** Runs a command against the daemon at `url` and returns its output. */
export async function runCommand(url: string, ...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli([...args, '--url', url], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}
