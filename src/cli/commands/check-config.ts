import { type Command, exitCode } from '../command.ts';
import { readConfigOrMessage, readWebConfigOrMessage } from '../read-config.ts';

/** Validates a configuration without starting the daemon. */
export const checkConfig: Command = {
  flags: [],
  arguments: ['<FILE>'],
  details:
    'Prints `ok`, or each problem with its position, the path of the key and a hint. Also validates web_config_file.\n' +
    'Exit code 2 if the file is invalid.',
  examples: ['check-config graphwarden.yml'],
  run: async ({ arguments: [file = ''] }, ports) => {
    const config = await readConfigOrMessage(file, ports);
    const checked = config.ok ? await readWebConfigOrMessage(config.value, ports) : config;
    ports.stdout.write(checked.ok ? 'ok\n' : checked.error);
    return checked.ok ? exitCode.ok : exitCode.usage;
  },
};
