import type { Config } from '../config/config.ts';
import { nearest } from '../config/suggest.ts';
import type { ReceiverSettings } from '../notify/settings.ts';
import { type Command, exitCode, type Given, WrongUse } from './command.ts';
import type { CliPorts } from './ports.ts';
import { passed, type Trial, trialTable, tryReceiver } from './try-receiver.ts';

/** Proves the way to every receiver, without a daemon. */
export const alertTest: Command = {
  name: 'alert test',
  about: 'send a test alert, and its end, to every receiver',
  flags: [
    { name: 'config', value: 'FILE', about: 'the configuration; GRAPHWARDEN_CONFIG says the same' },
    { name: 'receiver', value: 'NAME', about: 'only this one' },
  ],
  details:
    'Exit code 1 when a receiver did not accept both. No daemon is needed, and none is disturbed: each test is an\n' +
    'incident of its own. Run it where the daemon will run.',
  run: async ({ flags }, ports) => {
    const file = flags.config ?? ports.environment.GRAPHWARDEN_CONFIG ?? '';
    if (file === '') throw new WrongUse('--config FILE is missing');
    const { readConfigOrSay } = await import('./read-config.ts');
    const config = await readConfigOrSay(file, ports);
    if (!config.ok) {
      ports.stderr.write(config.error);
      return exitCode.usage;
    }
    const receivers = chosen(config.value, flags);
    if (receivers.length === 0) {
      ports.stderr.write('graphwarden: the configuration names no receivers: see alerts.receivers\n');
      return exitCode.failed;
    }
    const trials = await tryAll(receivers, config.value, ports);
    ports.stdout.write(trialTable(trials));
    return trials.every(passed) ? exitCode.ok : exitCode.failed;
  },
};

function chosen({ alerts: { receivers } }: Config, { receiver: name }: Given['flags']): readonly ReceiverSettings[] {
  if (name === undefined) return receivers;
  const found = receivers.filter((receiver) => receiver.name === name);
  if (found.length > 0) return found;
  const near = nearest(
    name,
    receivers.map((receiver) => receiver.name),
  );
  throw new WrongUse(`there is no receiver '${name}'${near === undefined ? '' : `: did you mean '${near}'?`}`);
}

/** All at once, so that one that hangs keeps nobody waiting for the others. */
async function tryAll(
  receivers: readonly ReceiverSettings[],
  config: Config,
  { world, clock, files }: CliPorts,
): Promise<readonly Trial[]> {
  const [{ openPool, sendMail, digest, random }, { openNotifier }] = await Promise.all([
    world(),
    import('../notify/open-notifier.ts'),
  ]);
  const open = openNotifier({ openPool, sendMail, digest, files });
  return await Promise.all(
    receivers.map(async (receiver) => {
      const notifier = open(receiver, config);
      const key = digest.sha256(`${receiver.name} ${clock.now().wall} ${random.next()}`);
      const trial = await tryReceiver(receiver, notifier, key, clock);
      await notifier.close();
      return trial;
    }),
  );
}
