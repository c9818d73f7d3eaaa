import { type Command, exitCode } from './command.ts';

const defaultFile = 'graphwarden.yml';

/** Begins a configuration. */
export const init: Command = {
  name: 'init',
  about: `write a commented starter configuration (${defaultFile})`,
  argument: { name: 'FILE', required: false },
  flags: [],
  details: 'An existing file is never overwritten.',
  run: async ({ arguments: [file = defaultFile] }, ports) => {
    const { starter } = await import('../config/starter.ts');
    const created = await ports.createFile(file, starter());
    if (!created.ok) {
      ports.stderr.write(`graphwarden: ${created.error}\n`);
      return exitCode.failed;
    }
    ports.stdout.write(`${file} is written: fill in the nodes, then\n  graphwarden check-config ${file}\n`);
    ports.stdout.write(`  graphwarden doctor --config ${file}\n  graphwarden run --config ${file}\n`);
    return exitCode.ok;
  },
};
