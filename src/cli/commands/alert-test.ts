import type { Config } from '../../config/config.ts';
import { closestMatch } from '../../config/name-suggestions.ts';
import { openNotifier } from '../../notify/receivers/all.ts';
import type { ReceiverSettings } from '../../notify/settings.ts';
import { type Command, type CommandInput, exitCode, UsageError } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';
import type { CliPorts } from '../ports.ts';
import { printError } from '../print.ts';
import { hasPassed, type ReceiverTestResult, receiverTestTable, testReceiver } from '../receiver-test.ts';

/** Sends a test alert to each receiver without a daemon. */
export const alertTest: Command = {
  flags: [configFlag, { name: 'receiver', value: 'NAME', about: 'only this receiver' }],
  details:
    'Exit code 1 if a receiver rejects one of the two. The command needs no daemon; each test is an incident of its own.\n' +
    'Run it on the host on which the daemon will run.',
  examples: ['alert test --config graphwarden.yml', 'alert test --config graphwarden.yml --receiver oncall'],
  run: (given, ports) =>
    withConfig(given, ports, async (config) => {
      const receivers = selectReceivers(config, given.flags);
      if (receivers.length === 0) return printError('no receivers configured; add them to alerts.receivers', ports);
      const results = await testReceivers(receivers, config, ports);
      ports.stdout.write(receiverTestTable(results, ports.stdout));
      return results.every(hasPassed) ? exitCode.ok : exitCode.failed;
    }),
};

function selectReceivers(
  { alerts: { receivers } }: Config,
  { receiver: name }: CommandInput['flags'],
): readonly ReceiverSettings[] {
  if (name === undefined) return receivers;
  const found = receivers.filter((receiver) => receiver.name === name);
  if (found.length > 0) return found;
  const names = receivers.map((receiver) => receiver.name);
  const near = closestMatch(name, names);
  const hint = near === undefined ? `known receivers: ${names.join(', ')}` : `did you mean '${near}'?`;
  throw new UsageError(`unknown receiver '${name}': ${hint}`);
}

/** Tests all receivers at the same time, so that one that hangs does not delay the others. */
async function testReceivers(
  receivers: readonly ReceiverSettings[],
  config: Config,
  { loadRuntime, clock, files }: CliPorts,
): Promise<readonly ReceiverTestResult[]> {
  const { openPool, sendMail, digest, random } = await loadRuntime();
  const open = openNotifier({ openPool, sendMail, digest, files });
  return await Promise.all(
    receivers.map(async (receiver) => {
      const notifier = open(receiver, config);
      const key = digest.sha256(`${receiver.name} ${clock.now().wall} ${random.next()}`);
      const result = await testReceiver(receiver, notifier, key, clock);
      await notifier.close();
      return result;
    }),
  );
}
