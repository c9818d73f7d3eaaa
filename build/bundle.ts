import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { build } from 'rolldown';

/** Where to write it: the argument, or the place that the package ships. */
const output = process.argv[2] ?? 'dist/graphwarden.mjs';

/** The commit that is bundled: said from outside, or asked of git; a source archive knows neither. */
function commit(): string {
  if (process.env.GRAPHWARDEN_COMMIT !== undefined) return process.env.GRAPHWARDEN_COMMIT;
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}

await build({
  input: 'src/main.ts',
  platform: 'node',
  transform: { target: 'node24', define: { 'process.env.GRAPHWARDEN_COMMIT': JSON.stringify(commit()) } },
  output: {
    file: output,
    format: 'esm',
    codeSplitting: false,
    minify: false,
    banner: '#!/usr/bin/env node',
  },
});
chmodSync(output, 0o755);
process.stdout.write(`${output}: ${Math.round(statSync(output).size / 1024)} KiB, commit ${commit()}\n`);
