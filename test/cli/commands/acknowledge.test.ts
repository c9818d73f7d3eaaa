import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { livePorts } from '../../support/live-ports.ts';
import { startIncidentApi } from '../incident-api.ts';

async function acknowledge(url: string, ...args: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['acknowledge', ...args, '--url', url], commands, ports);
  return { code, out: ports.stdout.text(), error: ports.stderr.text() };
}

describe('acknowledge', () => {
  it('acknowledges an incident with author and comment', async () => {
    const { url, acknowledgement } = await startIncidentApi();
    const done = await acknowledge(url, 'k1-7', '--author', 'ada', '--comment', 'new disk');
    expect(done).toEqual({ code: 0, out: 'incident k1-7 acknowledged by ada\n', error: '' });
    expect(acknowledgement()).toMatchObject({ author: 'ada', comment: 'new disk' });
  });

  it('prints the incident as JSON', async () => {
    const { url } = await startIncidentApi();
    const { out } = await acknowledge(url, 'k1-7', '--author', 'ada', '--json');
    expect(JSON.parse(out)).toMatchObject({ incident: 'k1-7', acknowledgement: { author: 'ada', comment: '' } });
  });

  it.each([
    [['k1-7'], 2, 'required option --author NAME not specified'],
    [['--author', 'ada'], 2, "missing required argument 'ID'"],
    [['k1-7', '--author', 'a'.repeat(101)], 2, '--author'],
    [['k1-8', '--author', 'ada'], 1, "No incident has the ID 'k1-8'"],
  ])('fails with %j: exit code %d, %s', async (args, expected, message) => {
    const { url, acknowledgement } = await startIncidentApi();
    const { code, error } = await acknowledge(url, ...args);
    expect([code, acknowledgement()]).toEqual([expected, undefined]);
    expect(error).toContain(message);
  });
});
