import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/child.ts';
import { readJson, send } from '../support/http.ts';
import { startDemo } from '../support/program.ts';
import { startInTerminal, visibleLines } from '../support/pseudo-terminal.ts';

let url = '';

beforeAll(async () => {
  const demo = await startDemo('--scenario', 'runaway_queries', '--receivers');
  ({ url } = demo);
  await eventually('an abort is notified', async () => {
    const { text } = await send(`${url}/api/v1/notifications`);
    return text.includes('"result":"accepted"');
  });
  await runChecks(/GRAPHWARDEN_PASSWORD=(\S+)/.exec(demo.child.stdout())?.[1] ?? '');
  return async () => {
    await demo.child.stop();
  };
});

async function shown(args: readonly string[], variables: readonly string[] = []) {
  const child = startInTerminal([...args, '--url', url], variables);
  const code = await child.ended;
  return { code, output: child.stdout(), lines: visibleLines(child.stdout()) };
}

/** Runs the checks of the cluster as the operator, which otherwise run after some time, and waits for their results. */
async function runChecks(password: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`demo:${password}`)}` };
  const clusters = z.object({ items: z.array(z.object({ name: z.string() })) });
  for (const { name } of clusters.parse(await readJson(`${url}/api/v1/clusters`)).items) {
    const body = JSON.stringify({ cluster: name });
    expect((await send(`${url}/api/v1/checks/run`, { method: 'POST', headers, body })).status).toBe(200);
  }
  await eventually('the checks have results', async () =>
    (await send(`${url}/api/v1/checks`)).text.includes('"check":'),
  );
}

const tables = [
  ['guard status', 'POLICY'],
  ['guard audit', 'TIME'],
  ['silence list', 'no silences'],
] as const;
const refreshed = [
  ['status', 'CLUSTER'],
  ['services', 'INSTANCE'],
  ['availability', 'INSTANCE'],
  ['checks', 'CHECK'],
  ['probes', 'PROBE'],
  ['queries', 'AGE'],
  ['alerts --all', 'SEVERITY'],
  ['notifications', 'TIME'],
  ['transitions', 'TIME'],
] as const;
/** Control sequence before each refresh in a terminal. */
const clear = '\u001B[H\u001B[J';

describe('terminal of 80 columns', () => {
  it.each(tables)('%s fits, with the most important column first', async (command, first) => {
    const { lines } = await eventually(`${command} has rows`, async () => {
      const found = await shown(command.split(' '));
      return found.lines.some((line) => line.startsWith(first)) && found;
    });
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows all columns with --wide', async () => {
    const { lines } = await shown(['notifications', '--wide']);
    expect(lines[0]).toMatch(/^TIME .* ATTEMPTS$/);
    expect(lines.join('\n')).not.toContain('not shown');
  });

  it('names the known values and a similar one instead of an empty table', async () => {
    const { code, output } = await shown(['services', '--service', 'gpe']);
    expect(code).toBe(2);
    expect(output).toContain("There is no service 'gpe'. Did you mean 'GPE'? Known: ADMIN, CTRL,");
  });

  it('has colours unless NO_COLOR or TERM=dumb is set', async () => {
    expect((await shown(['services'])).output).toContain('\u001B[1m');
    for (const variable of ['NO_COLOR=1', 'TERM=dumb']) {
      expect((await shown(['services'], [variable])).output).not.toContain('\u001B');
    }
  });

  it.concurrent.for(refreshed)(
    '%s fits, with the most important column first, and is refreshed with --watch',
    async ([command, first], { onTestFinished }) => {
      const child = startInTerminal([...command.split(' '), '--watch', '--url', url]);
      onTestFinished(async () => void (await child.stop()));
      const lines = await eventually(`${command} is printed twice and has rows`, async () => {
        const found = visibleLines(child.stdout());
        const isPrintedTwice = child.stdout().split(clear).length > 2;
        return isPrintedTwice && found.some((line) => line.startsWith(first)) && found;
      });
      expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d UTC$/);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    },
  );
});
