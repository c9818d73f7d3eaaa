import type { RouteSettings } from '../../alert/alerting.ts';
import { formatMatcher } from '../../alert/matcher.ts';
import type { Config } from '../../config/config.ts';
import { closestMatch } from '../../config/name-suggestions.ts';
import { withDeadline } from '../../kernel/deadline.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import type { Alert } from '../../model/alert.ts';
import type { Notifier, ReceiverResponse } from '../../notify/notifier.ts';
import { openNotifier } from '../../notify/receivers/all.ts';
import type { ReceiverSettings } from '../../notify/settings.ts';
import { type Command, type CommandInput, exitCode, UsageError } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';
import type { CliPorts } from '../ports.ts';
import { printError } from '../print.ts';
import { formatTable, type Terminal } from '../table.ts';

/** Sends a test alert to each receiver without a daemon. */
export const alertTest: Command = {
  flags: [configFlag, { name: 'receiver', value: 'NAME', about: 'only this receiver' }],
  details:
    'Prints the result of each receiver, and whether all receivers of each route and its fallback accepted both ' +
    'notifications. `partially accepted`: a recipient of an e-mail or a peer of Alertmanager, which the response names, ' +
    'did not accept it. Exit code 1 if a receiver, a recipient or a peer does not accept one of them, also if it may ' +
    'accept it later (greylisting): repeat the test after a few minutes. The command needs no daemon; each test is an ' +
    'incident of its own. Run it on the host on which the daemon will run.',
  examples: ['alert test --config graphwarden.yml', 'alert test --config graphwarden.yml --receiver oncall'],
  run: (given, ports) =>
    withConfig(given, ports, async (config) => {
      const receivers = selectReceivers(config, given.flags);
      if (receivers.length === 0) return printError('no receivers configured; add them to alerts.receivers', ports);
      const results = await testReceivers(receivers, config, ports);
      ports.stdout.write(receiverTestTable(results, ports.stdout));
      if (given.flags.receiver === undefined)
        ports.stdout.write(`\n${routeTestTable(config.alerts.routes, results, ports.stdout)}`);
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

/** Request timeout, the same as that of the daemon. */
const deliveryTimeout: Millis = 30_000;

/** Result of one notification: the kind of the response, or `partially accepted`. */
type TestOutcome = ReceiverResponse['kind'] | 'partially accepted';

/** Result of a test alert sent to one receiver. */
export interface ReceiverTestResult {
  readonly receiver: string;
  readonly kind: string;
  readonly trigger: TestOutcome;
  /** `not sent` if the receiver rejected the trigger: then there is nothing to resolve. */
  readonly resolve: TestOutcome | 'not sent';
  /** Reason of a rejection; empty if the receiver and all of its recipients accepted both. */
  readonly message: string;
}

/** Sends one test alert and its resolve to a receiver. `key` identifies the incident. */
export async function testReceiver(
  { name, kind }: ReceiverSettings,
  notifier: Notifier,
  key: string,
  clock: Clock,
): Promise<ReceiverTestResult> {
  const startsAt = clock.now().wall;
  const send = (alert: Alert): Promise<ReceiverResponse> =>
    withDeadline(clock, deliveryTimeout, (signal) =>
      notifier.send(
        { kind: 'alerts', group: {}, alerts: [alert], isReminder: false, awaitsEveryPeer: true },
        'full',
        clock.now().wall,
        signal,
      ),
    );
  const trigger = await send(testAlert(key, startsAt));
  const sent = { receiver: name, kind, trigger: testOutcome(trigger) };
  // Without a response, the receiver may still have accepted the trigger: then it needs the resolve.
  if (trigger.kind !== 'accepted' && trigger.kind !== 'unavailable') {
    return { ...sent, resolve: 'not sent', message: answerMessage(trigger) };
  }
  await clock.sleep(notifier.traits.minInterval);
  const resolve = await send({ ...testAlert(key, startsAt), status: 'resolved', endsAt: clock.now().wall });
  const [message = ''] = [trigger, resolve].map(answerMessage).filter((words) => words !== '');
  return { ...sent, resolve: testOutcome(resolve), message };
}

function testOutcome(response: ReceiverResponse): TestOutcome {
  return response.kind === 'accepted' && response.but !== undefined ? 'partially accepted' : response.kind;
}

/** Whether the receiver and all of its recipients accepted both notifications. */
export function hasPassed({ trigger, resolve }: ReceiverTestResult): boolean {
  return trigger === 'accepted' && resolve === 'accepted';
}

/** Results as a table. */
export function receiverTestTable(results: readonly ReceiverTestResult[], terminal?: Terminal): string {
  const rows = results.map(({ receiver, kind, trigger, resolve, message }) => [
    receiver,
    kind,
    trigger,
    resolve,
    replaceControlCharacters(message),
  ]);
  return formatTable([['RECEIVER', 'KIND', 'TRIGGER', 'RESOLVE', 'RESPONSE'], ...rows], terminal);
}

/** Routes as a table, each with the result of its receivers and its fallback. */
function routeTestTable(
  routes: readonly RouteSettings[],
  results: readonly ReceiverTestResult[],
  terminal?: Terminal,
): string {
  const passed = new Set(results.filter(hasPassed).map(({ receiver }) => receiver));
  const rows = routes.map(({ matchers, receivers, fallback }, at) => [
    `routes[${at}]`,
    matchers.length === 0 ? 'every alert' : matchers.map(formatMatcher).join(' '),
    receivers.length === 0 ? '-' : receivers.join(', '),
    fallback ?? '-',
    routeResult([...receivers, ...(fallback === undefined ? [] : [fallback])], passed),
  ]);
  const cells = rows.map((row) => row.map(replaceControlCharacters));
  return formatTable([['ROUTE', 'MATCHERS', 'RECEIVERS', 'FALLBACK', 'RESULT'], ...cells], terminal);
}

function routeResult(receivers: readonly string[], passed: ReadonlySet<string>): string {
  if (receivers.length === 0) return 'drops alerts';
  const failed = receivers.filter((receiver) => !passed.has(receiver));
  return failed.length === 0 ? 'accepted' : `not accepted by ${failed.join(', ')}`;
}

function answerMessage(answer: ReceiverResponse): string {
  return answer.kind === 'accepted' ? (answer.but ?? '') : answer.message;
}

function testAlert(key: string, startsAt: number): Alert {
  const started = formatTimestamp(startsAt);
  return {
    key,
    episode: 1,
    rule: 'test',
    severity: 'info',
    labels: { alertname: 'GraphwardenTest', severity: 'info', test: key.slice(0, 12) },
    annotations: {
      summary: 'This is a test alert of graphwarden: no action required',
      description: 'Sent by `graphwarden alert test`; resolves at once.',
      episode: '1',
      started,
    },
    status: 'firing',
    startsAt,
    generatorUrl: '',
  };
}
