import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTool } from './tools.ts';

/**
 * Runs the rule test files in `folder` in one process, because promtool takes longer to start than to run most files.
 * Returns the output of promtool for each file.
 */
export async function testRules(folder: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const output = join(folder, 'promtool.log');
  // promtool prints file names to standard output and failures to standard error; one file keeps them in order.
  const stream = openSync(output, 'w');
  try {
    const words = ['test', 'rules', ...files];
    await once(spawn(requireTool('promtool'), words, { cwd: folder, stdio: ['ignore', stream, stream] }), 'close');
  } finally {
    closeSync(stream);
  }
  const [before = '', ...parts] = readFileSync(output, 'utf8').split(/^Unit Testing: +/m);
  if (parts.length !== files.length) throw new Error(`promtool tested ${parts.length} files: ${before.slice(0, 2000)}`);
  return new Map(parts.map((part, at) => [files[at] ?? '', part.slice(part.indexOf('\n') + 1)]));
}
