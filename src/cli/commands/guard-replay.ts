import type { GuardSettings } from '../../guard/policy.ts';
import { RecordingReader } from '../../guard/recording/format.ts';
import { Replay, type ReplayReport } from '../../guard/recording/replay.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type Command, exitCode } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';
import { guardSettingsHash } from '../guard-settings-hash.ts';
import type { RuntimePorts } from '../ports.ts';
import { formatJson, printError } from '../print.ts';
import { formatReplay } from '../replay-report.ts';

/** Replays a recording against the policies of a configuration. */
export const guardReplay: Command = {
  flags: [
    configFlag,
    { name: 'enforce', about: 'evaluate each policy as if it and the guard were in mode enforce' },
    { name: 'json', about: 'print the report as JSON' },
  ],
  arguments: ['<RECORDING>'],
  details:
    'Needs no daemon and sends no request. MATCHED AT is the match time of a query, DUE AT its earliest abort time. The\n' +
    'replay only has the recorded lists, so an abort is as late as the next recorded list.',
  examples: ['guard replay monday.jsonl --config graphwarden.yml --enforce'],
  run: (given, ports) =>
    withConfig(given, ports, async ({ guard }) => {
      const world = await ports.loadRuntime();
      const { flags } = given;
      const [file = ''] = given.arguments;
      const found = await runReplay(file, { guard, enforceAll: 'enforce' in flags }, world);
      if (!found.ok) return printError(found.error, ports);
      const { report, recordedWith } = found.value;
      ports.stdout.write('json' in flags ? formatJson(report) : formatReplay(report, ports.stdout));
      if (recordedWith !== guardSettingsHash(guard, world.digest)) ports.stderr.write(guardChangedNote);
      return exitCode.ok;
    }),
};

const guardChangedNote = 'note: the guard section has changed since the recording\n';

interface ReplayInput {
  readonly guard: GuardSettings;
  readonly enforceAll: boolean;
}

interface ReplayOutcome {
  readonly report: ReplayReport;
  /** Hash of the guard section in the header of the recording. */
  readonly recordedWith: string;
}

/** Replays line by line, because a recording may exceed the memory. */
async function runReplay(
  file: string,
  input: ReplayInput,
  { lineFiles }: RuntimePorts,
): Promise<Result<ReplayOutcome, string>> {
  const reader = new RecordingReader();
  let replay: Replay | undefined;
  let recordedWith = '';
  for await (const line of lineFiles.read(file)) {
    if (!line.ok) return line;
    const item = reader.read(line.value);
    if (!item.ok) return err(`${file}: ${item.error}`);
    if (item.value.kind === 'event') replay?.feed(item.value.event);
    else {
      replay = new Replay(input.guard, item.value.header, input);
      recordedWith = item.value.header.guard;
    }
  }
  return replay === undefined ? err(`${file}: empty recording`) : ok({ report: replay.finish(), recordedWith });
}
