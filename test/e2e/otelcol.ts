import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../support/tools.ts';

const script = 'tools/build/tools/otelcol.sh';
const version = /^version=(.*)$/m.exec(readFileSync(script, 'utf8'))?.[1] ?? '';
const program = join(cacheFolder(), `otelcol-debug-${version}`, 'otelcol');

/** OpenTelemetry Collector, only where it was built: that takes minutes, and a Go toolchain. */
export const otelcol: string | undefined = existsSync(program) ? program : undefined;
if (otelcol === undefined) process.stderr.write(`${script} was not run: the test that needs it is skipped\n`);
