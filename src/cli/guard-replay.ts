import type { GuardSettings } from '../guard/policy.ts';
import type { Replay, ReplayReport } from '../guard/tape/replay.ts';
import type { TapeReader } from '../guard/tape/tape-reader.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { type Command, type ExitCode, exitCode, WrongUse } from './command.ts';
import { guardHash } from './guard-hash.ts';
import type { CliPorts, World } from './ports.ts';

/** Shows what policies would have done to what was recorded. */
export const guardReplay: Command = {
  name: 'guard replay',
  about: 'run a recording through the policies of a configuration, and show what they would have done',
  argument: { name: 'RECORDING', required: true },
  flags: [
    { name: 'config', value: 'FILE', about: 'the configuration; GRAPHWARDEN_CONFIG says the same' },
    { name: 'enforce', about: 'judge every policy as if it and the guard said enforce' },
    { name: 'json', about: 'print the report as JSON' },
  ],
  details:
    'No daemon is needed, and no server is asked. M is when a policy matches, E the earliest instant of an abort. Whether\n' +
    'a list is fresh enough is judged by the lists that were recorded, so an abort is as late as the next of them.',
  run: async ({ flags, arguments: [file = ''] }, ports) => {
    const path = flags.config ?? ports.environment.GRAPHWARDEN_CONFIG ?? '';
    if (path === '') throw new WrongUse('--config FILE is missing');
    const [world, { readConfigOrSay }, { replayText }] = await Promise.all([
      ports.world(),
      import('./read-config.ts'),
      import('./replay-text.ts'),
    ]);
    const config = await readConfigOrSay(path, ports);
    if (!config.ok) {
      ports.stderr.write(config.error);
      return exitCode.usage;
    }
    const { guard } = config.value;
    const found = await replayed(file, { guard, enforceAll: 'enforce' in flags }, world);
    if (!found.ok) return failed(found.error, ports);
    const { report, recordedWith } = found.value;
    ports.stdout.write('json' in flags ? `${JSON.stringify(report, undefined, 2)}\n` : replayText(report));
    if (recordedWith !== guardHash(guard, world.digest)) ports.stderr.write(otherGuard);
    return exitCode.ok;
  },
};

const otherGuard = 'note: the guard section is another one than when this was recorded\n';

interface Wishes {
  readonly guard: GuardSettings;
  readonly enforceAll: boolean;
}

interface Found {
  readonly report: ReplayReport;
  /** The hash in the header. */
  readonly recordedWith: string;
}

/** Line by line: a recording may be longer than the memory. */
async function replayed(file: string, wishes: Wishes, { lineFiles }: World): Promise<Result<Found, string>> {
  const [{ TapeReader: Reader }, { Replay: Run }] = await Promise.all([
    import('../guard/tape/tape-reader.ts'),
    import('../guard/tape/replay.ts'),
  ]);
  const reader: TapeReader = new Reader();
  let replay: Replay | undefined;
  let recordedWith = '';
  for await (const line of lineFiles.read(file)) {
    if (!line.ok) return line;
    const item = reader.take(line.value);
    if (!item.ok) return err(`${file}: ${item.error}`);
    if (item.value.kind === 'event') replay?.take(item.value.event);
    else {
      replay = new Run(wishes.guard, item.value.header, wishes);
      recordedWith = item.value.header.guard;
    }
  }
  return replay === undefined ? err(`${file}: it is empty`) : ok({ report: replay.finish(), recordedWith });
}

function failed(reason: string, { stderr }: CliPorts): ExitCode {
  stderr.write(`graphwarden: ${reason}\n`);
  return exitCode.failed;
}
