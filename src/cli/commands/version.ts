import { type Command, exitCode } from '../command.ts';

/** Prints the version of the program. */
export const version: Command = {
  flags: [],
  examples: ['version'],
  run: async (_given, { stdout, build }) => {
    stdout.write(`graphwarden ${build.version} (commit ${build.commit})\n`);
    return exitCode.ok;
  },
};
