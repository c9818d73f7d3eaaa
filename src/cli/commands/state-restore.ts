import { type Command, exitCode } from '../command.ts';
import { formatJson } from '../print.ts';
import { runStateTool, stateFlags } from '../state-command.ts';

/** Restores the state database from a copy. */
export const stateRestore: Command = {
  flags: stateFlags,
  arguments: ['<FILE>'],
  details:
    'FILE is a copy that `state backup` or a migration made. The command checks FILE first and rejects a damaged ' +
    'file, a database of another program or a database of a newer release; the current database then stays ' +
    'unchanged. The replaced database is kept next to the new one. The command fails while a daemon uses the ' +
    'directory. Exit code 1 if the database was not replaced.',
  examples: [
    'state restore /backup/state.db --config graphwarden.yml',
    'state restore state/state.db.version-7.backup --state-dir state',
  ],
  run: (given, ports) => {
    const [source = ''] = given.arguments;
    return runStateTool(
      given,
      ports,
      (tools, folder) => tools.restore(folder, source),
      ({ file, schemaVersion, replaced }) => {
        const kept = replaced === undefined ? '' : `; the replaced database is '${replaced}'`;
        const json = { file, schema_version: schemaVersion, replaced: replaced ?? null };
        const text = `${file} restored from ${source}, schema version ${schemaVersion}${kept}\n`;
        ports.stdout.write('json' in given.flags ? formatJson(json) : text);
        return exitCode.ok;
      },
    );
  },
};
