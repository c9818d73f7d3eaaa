import { guardRoutes } from '../../src/app/guard-routes.ts';
import { createHandler } from '../../src/app/routes.ts';
import { cli } from '../../src/cli/cli.ts';
import { commands } from '../../src/cli/commands.ts';
import { FakeGuardControl } from '../app/fake-guard-control.ts';
import { clusterOf, configOf } from '../app/fakes.ts';
import { policyOf } from '../guard/scenes.ts';
import { livePorts } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { serve } from '../support/serving.ts';

/** A daemon with a guard, over real HTTP. */
export async function guarding() {
  const control = new FakeGuardControl();
  const plain = configOf([clusterOf('prod', ['m1'])]);
  const config = { ...plain, guard: { ...plain.guard, mode: 'enforce', policies: [policyOf()] } } as const;
  const desk = { log: recordingLogger(), config: () => config, control: () => control };
  const { url } = await serve(createHandler(guardRoutes(desk), () => ''));
  return { control, url };
}

/** What a command says to somebody who asks the daemon at `url`. */
export async function said(url: string, ...args: readonly string[]) {
  const ports = livePorts();
  const code = await cli([...args, '--url', url], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}
