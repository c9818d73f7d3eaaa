import { type Command, exitCode } from './command.ts';

/** Validates a configuration without starting anything. */
export const checkConfig: Command = {
  name: 'check-config',
  about: 'validate a configuration: prints ok, or every problem with its place',
  argument: { name: 'FILE', required: true },
  flags: [],
  run: async ({ arguments: [file = ''] }, ports) => {
    const { readConfigOrSay } = await import('./read-config.ts');
    const config = await readConfigOrSay(file, ports);
    ports.stdout.write(config.ok ? 'ok\n' : config.error);
    return config.ok ? exitCode.ok : exitCode.usage;
  },
};
