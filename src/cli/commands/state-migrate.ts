import { type Command, exitCode, UsageError } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';
import { formatJson, printError } from '../print.ts';

/** Copies the state between the state directory and PostgreSQL. */
export const stateMigrate: Command = {
  flags: [configFlag, { name: 'json', about: 'print JSON' }],
  arguments: ['<TARGET>'],
  details:
    'TARGET is `postgres`, to copy all rows from `state_dir` to `state_url`, or `directory`, to copy them back. Stop ' +
    'all daemons first: the command fails if a daemon runs or if the target has rows. The copy is one transaction, ' +
    'and the rows of each table are counted before it ends; the source stays unchanged. Exit code 1 if nothing was ' +
    'copied.',
  examples: [
    'state migrate postgres --config graphwarden.yml',
    'state migrate directory --config graphwarden.yml --json',
  ],
  run: async (given, ports) => {
    const [target] = given.arguments;
    if (target !== 'postgres' && target !== 'directory') throw new UsageError('TARGET is postgres or directory');
    return withConfig(given, ports, async ({ sharedState: settings, stateDir: folder }) => {
      if (settings === undefined) {
        return printError('the configuration has no state_url; add the address of the database', ports);
      }
      const { loadSharedStateTools } = await ports.loadRuntime();
      const copied = await (await loadSharedStateTools({ ...ports, program: ports.build.version })).migrate(target, {
        settings,
        folder,
      });
      if (!copied.ok) return printError(copied.error, ports);
      const { from, to, tables } = copied.value;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      ports.stdout.write(
        'json' in given.flags ? formatJson({ from, to, rows, tables }) : `${rows} rows copied from ${from} to ${to}\n`,
      );
      return exitCode.ok;
    });
  },
};
