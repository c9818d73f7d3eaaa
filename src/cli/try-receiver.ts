import type { Clock, Millis } from '../kernel/time.ts';
import type { Alert } from '../model/alert.ts';
import type { Answer, Notifier } from '../notify/notifier.ts';
import type { ReceiverSettings } from '../notify/settings.ts';
import { aligned, printable } from './aligned.ts';
import { withDeadline } from './deadline.ts';

/** As long as the daemon waits for an answer. */
const patience: Millis = 30_000;

/** What a receiver answered to a test alert. */
export interface Trial {
  readonly receiver: string;
  readonly kind: string;
  readonly trigger: Answer['kind'];
  /** `not sent` where there is nothing that could be open. */
  readonly resolve: Answer['kind'] | 'not sent';
  /** Why not, in words; empty where both were accepted. */
  readonly message: string;
}

/** Tells one receiver of a test alert, and then that it is over. `key` makes it an incident of its own. */
export async function tryReceiver(
  { name, way }: ReceiverSettings,
  notifier: Notifier,
  key: string,
  clock: Clock,
): Promise<Trial> {
  const startsAt = clock.now().wall;
  const send = (alert: Alert): Promise<Answer> =>
    withDeadline(clock, patience, (signal) =>
      notifier.send({ kind: 'alerts', group: {}, alerts: [alert], again: false }, 'full', clock.now().wall, signal),
    );
  const trigger = await send(testAlert(key, startsAt));
  const told = { receiver: name, kind: way.kind, trigger: trigger.kind };
  // Where no answer came, it may still have been accepted: then it has to end as well.
  if (trigger.kind !== 'accepted' && trigger.kind !== 'unavailable') {
    return { ...told, resolve: 'not sent', message: wordsOf(trigger) };
  }
  await clock.sleep(notifier.traits.spacing);
  const resolve = await send({ ...testAlert(key, startsAt), status: 'resolved', endsAt: clock.now().wall });
  const [message = ''] = [trigger, resolve].map(wordsOf).filter((words) => words !== '');
  return { ...told, resolve: resolve.kind, message };
}

/** Whether the receiver works. */
export function passed({ trigger, resolve }: Trial): boolean {
  return trigger === 'accepted' && resolve === 'accepted';
}

/** The trials as a table. */
export function trialTable(trials: readonly Trial[]): string {
  const rows = trials.map((trial) => [
    trial.receiver,
    trial.kind,
    trial.trigger,
    trial.resolve,
    printable(trial.message),
  ]);
  return aligned([['RECEIVER', 'KIND', 'TRIGGER', 'RESOLVE', 'ANSWER'], ...rows]);
}

function wordsOf(answer: Answer): string {
  return answer.kind === 'accepted' ? '' : answer.message;
}

function testAlert(key: string, startsAt: number): Alert {
  const started = new Date(startsAt).toISOString();
  return {
    key,
    episode: 1,
    rule: 'test',
    severity: 'info',
    labels: { alertname: 'GraphwardenTest', severity: 'info', test: key.slice(0, 12) },
    annotations: {
      summary: 'This is a test of graphwarden: nothing is wrong',
      description: 'Sent by `graphwarden alert test`; it ends at once.',
      episode: '1',
      started,
    },
    status: 'firing',
    startsAt,
    generatorUrl: '',
  };
}
