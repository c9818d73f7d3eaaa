import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/create-program.ts';
import { testPorts } from '../support/cli-ports.ts';
import { loadedCommands } from '../support/loaded-commands.ts';

const columns = 80;

/** Help page of a command in a terminal of 80 columns. */
async function helpLines(name: string): Promise<readonly string[]> {
  const ports = testPorts();
  const stdout = { ...ports.stdout, columns };
  const args = [...name.split(' ').filter(Boolean), '--help'];
  const program = createProgram(loadedCommands, args, { ...ports, stdout }, async () => undefined);
  await program.parseAsync(args, { from: 'user' }).catch(() => undefined);
  return ports.stdout.text().split('\n');
}

const names = loadedCommands.map(({ name }) => name);

describe('help in a terminal of 80 columns', () => {
  it.each(['', ...names])('«%s» has no line that is too long, and no line that ends early', async (name) => {
    const lines = await helpLines(name);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.filter((line, at) => endsEarly(line, lines[at + 1] ?? ''))).toEqual([]);
  });
});

/** Whether the first word of the next line of a paragraph has room, apart from a word that keeps the last one company. */
function endsEarly(line: string, next: string): boolean {
  if (/^(?: |$|\S+:|Usage)/.test(line) || /^(?: |$)/.test(next) || line === 'Scenarios:') return false;
  const words = next.split(' ');
  return words.length > 2 && `${line} ${words[0]}`.length <= columns;
}
