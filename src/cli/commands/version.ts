import { type Command, exitCode } from '../command.ts';

/** Prints the version of the program. */
export const version: Command = {
  name: 'version',
  about: 'print the version',
  flags: [],
  examples: ['version'],
  run: async (_given, { stdout, build }) => {
    stdout.write(`graphwarden ${build.version} (commit ${build.commit})\n`);
    return exitCode.ok;
  },
};
