import { expect, it } from 'vitest';
import { AlertEngine } from '../../../src/app/incidents/alert-engine.ts';
import type { IncidentEvent } from '../../../src/app/incidents/incident-events.ts';
import { IncidentProcessor } from '../../../src/app/incidents/incident-processor.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { Store } from '../../../src/kernel/store.ts';
import { shortIncidentId } from '../../../src/model/alert.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { catchAllRoute, selfRuleOf, settingsOf } from '../../alert/alerting-testbed.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { FakeDeliverer } from '../fake-deliverer.ts';
import { fullStore } from './full-store.ts';

const rule = selfRuleOf('delivery_failing');
const acknowledgement = { author: 'ada', comment: '', at: 1 };

const noSituation = () => undefined;

/** Returns an incident processor with one firing incident, and the id of the incident. */
async function withIncident(store: Store = memoryStore()) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const events: IncidentEvent[] = [];
  const deliverer = new FakeDeliverer();
  deliverer.views = () => [{ receiver: 'mail', failing: true, result: 'broken', depth: 0, parked: 0 }];
  const alerts = new AlertEngine({ log, store, digest, rules: [rule], deliverer });
  const self = () => ({ receivers: deliverer.views(), stateDurable: true, stateProblem: '' });
  const publish = (event: IncidentEvent) => void events.push(event);
  const incidents = new IncidentProcessor({ clock, log, store, alerts, situation: noSituation, self, publish });
  await incidents.configure({
    tracker: { confirm: 2, confirmFor: 0, forget: 1e9, flapping: { window: 21, on: 0.3, off: 0.25, changes: 8 } },
    clusters: ['prod'],
    alerts: {
      receivers: [{ name: 'chat', heartbeat: false, kind: 'webhook', options: {}, secrets: {} }],
      routes: [{ ...catchAllRoute, receivers: ['chat'] }],
      rules: { delivery_failing: settingsOf(rule) },
      maintenance: [],
      templates: {},
    },
  });
  incidents.tick(clock.now());
  await clock.advance(0);
  events.length = 0;
  const id = shortIncidentId(alerts.alerts()[0] ?? { key: '', episode: 0 });
  return { incidents, alerts, deliverer, store, events, id };
}

it('an acknowledgement is stored in one transaction with other changes, sent and published', async () => {
  const { incidents, alerts, deliverer, store, events, id } = await withIncident();
  const also = { table: 'counters', put: { name: 'acts', value: 1 } };
  expect(await incidents.acknowledge(id, acknowledgement, [also])).toEqual(ok(undefined));
  expect(alerts.alerts()[0]?.acknowledgement).toEqual(acknowledgement);
  const where = [{ column: 'name', is: '=', value: 'acts' }] as const;
  expect(await store.count({ table: 'counters', where })).toEqual(ok(1));
  expect(await incidents.acknowledge(id, undefined)).toEqual(ok(undefined));
  expect(alerts.alerts()[0]?.acknowledgement).toBeUndefined();
  expect(deliverer.notices.map(({ kind }) => kind)).toEqual(['trigger', 'acknowledge', 'acknowledge']);
  expect(events.map(({ kind }) => kind)).toEqual(['alert', 'alert']);
});

it('an acknowledgement takes effect even if the store fails', async () => {
  const { incidents, alerts, id } = await withIncident(fullStore());
  expect(await incidents.acknowledge(id, acknowledgement)).toEqual(err('the disk is full'));
  expect(alerts.alerts()[0]?.acknowledgement).toEqual(acknowledgement);
});
