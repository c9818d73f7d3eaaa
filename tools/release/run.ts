import { execFileSync } from 'node:child_process';

/** Runs a program, after its command line, and returns what it prints. Its errors are shown. */
export function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  process.stdout.write(`$ ${[program, ...args].join(' ')}\n`);
  return execFileSync(program, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}

const tools = new Map<string, string>();

/** Path of a tool of `tools/build/tools`, which is built first if it is not in the cache. */
export function tool(name: string): string {
  const path = tools.get(name) ?? run('tools/build/tools/build.sh', [name]);
  tools.set(name, path);
  return path;
}
