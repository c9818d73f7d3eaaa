import { type Command, exitCode } from './command.ts';

/** Validates a configuration without starting anything. */
export const checkConfig: Command = {
  name: 'check-config',
  about: 'validate a configuration: prints ok, or every problem with its place',
  argument: { name: 'FILE', required: true },
  flags: [],
  details: 'A web_config_file that it names is validated as well.',
  run: async ({ arguments: [file = ''] }, ports) => {
    const { readConfigOrSay, readWebConfigOrSay } = await import('./read-config.ts');
    const config = await readConfigOrSay(file, ports);
    const checked = config.ok ? await readWebConfigOrSay(config.value, ports) : config;
    ports.stdout.write(checked.ok ? 'ok\n' : checked.error);
    return checked.ok ? exitCode.ok : exitCode.usage;
  },
};
