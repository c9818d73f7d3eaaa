import { receivers, simulatedReceiverApis } from '../../src/notify/receivers/all.ts';
import {
  type ReceiverOptions,
  type ReceiversPorts,
  type SimulatedReceivers,
  startReceivers,
} from '../../src/simulator/receivers/receivers.ts';

/** The kinds of receivers that have a simulated twin. */
export const simulatedKinds: readonly string[] = [...simulatedReceiverApis.keys()];

/** Starts the simulated twins of receivers. */
export function startSimulatedReceivers(
  options: readonly ReceiverOptions[],
  ports: Omit<ReceiversPorts, 'apis'>,
  onRequest?: Parameters<typeof startReceivers>[2],
): Promise<SimulatedReceivers> {
  return startReceivers(options, { ...ports, apis: simulatedReceiverApis }, onRequest);
}

/** Returns the twin of a receiver. */
export function twinOf(kind: string) {
  const twin = receivers.find((one) => one.kind === kind)?.simulated;
  if (twin === undefined) throw new Error(`${kind} has no simulated twin`);
  return twin;
}
