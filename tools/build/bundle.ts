import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
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

/** The OpenTelemetry library, in a file that is read only if traces or metrics are exported. */
const telemetry = {
  source: 'src/runtime/telemetry/open-telemetry.ts',
  file: join(dirname(output), 'graphwarden-telemetry.mjs'),
};

const common = {
  platform: 'node',
  transform: { target: 'node24', define: { 'process.env.GRAPHWARDEN_COMMIT': JSON.stringify(commit()) } },
} as const;
const format = { format: 'esm', codeSplitting: false, minify: false } as const;

await build({ ...common, input: telemetry.source, output: { ...format, file: telemetry.file } });
await build({
  ...common,
  input: 'src/main.ts',
  external: [resolve(telemetry.source)],
  output: {
    ...format,
    file: output,
    banner: '#!/usr/bin/env node',
    paths: { [resolve(telemetry.source)]: `./${basename(telemetry.file)}` },
  },
});
chmodSync(output, 0o755);
for (const file of [output, telemetry.file]) {
  process.stdout.write(`${file}: ${Math.round(statSync(file).size / 1024)} KiB, commit ${commit()}\n`);
}
