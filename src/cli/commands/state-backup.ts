import { type Command, exitCode, UsageError } from '../command.ts';
import { formatJson } from '../print.ts';
import { runStateTool, stateFlags } from '../state-command.ts';

/** Copies the state database. */
export const stateBackup: Command = {
  flags: stateFlags,
  arguments: ['<FILE>'],
  details:
    'Copies a consistent snapshot of the database, checks the copy and writes it to the disk. FILE must not exist; it has ' +
    'the mode 0600. With `-`, the copy goes to standard output, also from a container without a shell. The copy contains the ' +
    'state only: back up the configuration and its secrets as well. Exit code 1 if no complete copy was made.',
  examples: [
    'state backup /backup/state.db --config graphwarden.yml',
    'state backup - --state-dir /var/lib/graphwarden/state > state.db',
  ],
  run: (given, ports) => {
    const [file = ''] = given.arguments;
    if (file === '-' && ports.stdout.isTerminal) {
      throw new UsageError(
        'the copy is binary and the standard output is a terminal: redirect the output to a file, or name a file',
      );
    }
    if (file === '-' && 'json' in given.flags) throw new UsageError('- and --json are mutually exclusive');
    return runStateTool(
      given,
      ports,
      (tools, folder) => tools.backup(folder, file),
      (backup) => {
        const { bytes, schemaVersion } = backup;
        const text = `${file}: ${bytes} bytes, schema version ${schemaVersion}\n`;
        if ('json' in given.flags) ports.stdout.write(formatJson({ file, bytes, schema_version: schemaVersion }));
        else (file === '-' ? ports.stderr : ports.stdout).write(text);
        return exitCode.ok;
      },
    );
  },
};
