import { rules } from '../alert/rules/all.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Output } from '../kernel/system.ts';
import type { DemoReceiver } from '../notify/receiver.ts';
import { receivers, simulatedReceiverApis } from '../notify/receivers/all.ts';
import { changesOnly, requestLines } from '../simulator/receivers/received-request.ts';
import type { ReceiverBehavior } from '../simulator/receivers/receiver-behavior.ts';
import { behaviorSyntax, parseBehavior } from '../simulator/receivers/receiver-behavior.ts';
import type {
  ReceiverOptions,
  ReceiversPorts,
  SimulatedReceiver,
  SimulatedReceivers,
} from '../simulator/receivers/receivers.ts';
import { UsageError } from './command.ts';

/** Factor by which the pending periods of the rules are shortened in a demo; their order stays the same. */
const speedup = 12;

/** Simulated receivers, one of each kind that can be simulated. */
const demoKinds = receivers.flatMap(({ kind, simulated }) =>
  simulated === undefined ? [] : [{ kind, ...simulated.demo }],
);

const demoReceivers: readonly ReceiverOptions[] = demoKinds.map(({ name, kind }) => ({ name, kind }));

/** Values of `--faults` for the help page. */
export const faultHelp: string = [
  `Faults of the receivers ${demoReceivers.map(({ name }) => name).join(', ')}:`,
  ...behaviorSyntax.map(([word, about]) => `  ${word.padEnd(16)} ${about}`),
].join('\n');

/** Parses `oncall=503,chat=hang`; throws {@link UsageError} for anything else. */
export function demoReceiversWith(faults: string | undefined): readonly ReceiverOptions[] {
  const behaviors = new Map(faults?.split(',').map(parseFault));
  return demoReceivers.map((receiver) => {
    const behavior = behaviors.get(receiver.name);
    return behavior === undefined ? receiver : { ...receiver, behavior };
  });
}

function parseFault(part: string): readonly [name: string, behavior: ReceiverBehavior] {
  const [name = '', ...words] = part.split('=');
  if (!demoReceivers.some((one) => one.name === name)) {
    const names = demoReceivers.map((one) => one.name).join(', ');
    throw new UsageError(`--faults: unknown receiver '${name}': known receivers: ${names}`);
  }
  const behavior = parseBehavior(words.join('='));
  if (!behavior.ok) throw new UsageError(`--faults ${name}: ${behavior.error}`);
  return [name, behavior.value];
}

/** Starts the receivers and prints the notifications that they receive. */
export async function startDemoReceivers(
  wanted: readonly ReceiverOptions[],
  ports: Omit<ReceiversPorts, 'apis'>,
  out: Output,
): Promise<SimulatedReceivers> {
  const { startReceivers } = await import('../simulator/receivers/receivers.ts');
  const changesOf = changesOnly(simulatedReceiverApis);
  return startReceivers(wanted, { ...ports, apis: simulatedReceiverApis }, (request) => {
    const changes = changesOf(request);
    for (const line of changes === undefined ? [] : requestLines(changes)) out.write(`${line}\n`);
  });
}

/** Returns the routes of a small team: critical alerts to paging and chat, all alerts to receivers that group them. */
export function demoAlertsConfig({ all }: SimulatedReceivers): object {
  const namesOf = (route: DemoReceiver['route']) =>
    demoKinds.filter((demoKind) => demoKind.route === route).map(({ name }) => name);
  return {
    receivers: all.map(receiverConfig),
    routes: [
      {
        matchers: ['severity="critical"'],
        receivers: namesOf('page'),
        group_by: ['alertname', 'cluster_name'],
        group_wait: '0s',
        repeat_interval: '4h',
        fallback: 'hook',
        continue: true,
      },
      {
        receivers: namesOf('all'),
        group_by: ['cluster_name'],
        group_wait: '5s',
        group_interval: '30s',
        repeat_interval: '12h',
      },
    ],
    rules: Object.fromEntries(
      rules.map(({ name, for: pending }) => [name, { for: formatDuration(pending / speedup) }]),
    ),
  };
}

function receiverConfig({ name, kind, url }: SimulatedReceiver): object {
  const demoKind = demoKinds.find((one) => one.kind === kind);
  return { name, [kind]: demoKind?.config(url), ...(demoKind?.heartbeat === true ? { heartbeat: true } : {}) };
}

/** Banner lines with the address of each receiver and the call that changes its behavior. */
export function demoReceiversBanner({ all }: SimulatedReceivers): readonly string[] {
  return [
    'Simulated receivers (notifications are printed below):',
    '',
    ...all.map(({ name, kind, behaviorUrl }) => `  ${name.padEnd(7)}  ${kind.padEnd(12)}  curl -d 503 ${behaviorUrl}`),
    '',
    `  Instead of 503: ${behaviorSyntax.map(([word]) => word).join(', ')}.`,
    '',
  ];
}
