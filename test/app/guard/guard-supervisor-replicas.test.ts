import { expect, it } from 'vitest';
import { soleOwnership } from '../../../src/kernel/ownership.ts';
import { FailingStore } from '../../support/failing-store.ts';
import { configWith, createGuardFixture } from './guard-fixture.ts';

const shared = { ...soleOwnership, isShared: true };

it('guard supervisor › reads the state of a cluster until another replica owns it', async () => {
  const store = new FailingStore();
  const { supervisor, clock, log, end } = createGuardFixture({}, { store, ownership: shared });
  const failures = () => log.lines.filter(({ message }) => message.startsWith('guard state cannot be read')).length;
  await clock.advance(1000);
  store.isFull = true;
  await supervisor.disown('prod', AbortSignal.abort());
  expect(failures()).toBe(0);
  supervisor.applyConfig(configWith({}));
  await clock.advance(11_000);
  const before = failures();
  expect(before).toBeGreaterThan(1);
  await supervisor.disown('prod', AbortSignal.abort());
  await clock.advance(60_000);
  expect(failures()).toBe(before);
  await end();
});

it('guard supervisor › refuses to abort a query of a cluster whose state is not restored yet', async () => {
  const { supervisor, end } = createGuardFixture({}, { ownership: shared });
  await supervisor.disown('prod', AbortSignal.abort());
  const request = { cluster: 'prod', node: 'm1', id: 'x', by: 'ada', reason: 'slow', whilePaused: false };
  expect(await supervisor.abort(request)).toMatchObject({
    ok: false,
    error: { kind: 'refused', message: expect.stringContaining('is not restored yet') },
  });
  await end();
});
