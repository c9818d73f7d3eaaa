import { describe, expect, it } from 'vitest';
import type { Ownership } from '../../../src/kernel/ownership.ts';
import { LeaseKeeper } from '../../../src/runtime/postgres/lease-keeper.ts';
import { FakeClock } from '../../support/clock.ts';
import { LeaseModel, registrationOf } from '../../support/lease-model.ts';
import { recordingLogger } from '../../support/logger.ts';

const clusters = ['', 'c1', 'c2'];

function world() {
  const clock = new FakeClock();
  const model = new LeaseModel(() => clock.now().wall);
  const log = recordingLogger();
  const replica = (id: string, names: readonly string[] = clusters): LeaseKeeper => {
    const keeper = new LeaseKeeper({ clock, log, database: model.connect(id), id });
    keeper.start(registrationOf(id, names));
    return keeper;
  };
  return { clock, model, log, replica };
}

const ownedBy = (keeper: Ownership) => clusters.filter((cluster) => keeper.owns(cluster));

describe('a replica without its database', () => {
  it('keeps clusters whose release fails, without acting on them before the database renewed them', async () => {
    const { clock, model, replica } = world();
    const keeper = replica('a');
    await clock.advance(1000);
    let changes = 0;
    keeper.subscribe({ onOwnershipChange: () => (changes += 1), onSharedRowsChange: () => undefined });
    model.problem = 'the database is away';
    await keeper.release(['c1']);
    expect([keeper.owns('c1'), keeper.remaining('c1'), keeper.notifiable('c1'), changes]).toEqual([true, 0, 0, 1]);
    expect(keeper.view().counts.released).toBe(0);
    model.problem = undefined;
    await clock.advance(1000);
    expect(keeper.owns('c1')).toBe(true);
    await clock.advance(5000);
    expect(keeper.remaining('c1')).toBeGreaterThan(4000);
    expect(model.leases.get('c1')?.epoch).toBe(1);
  });

  it('keeps its clusters without acting on them while the database is unavailable, and continues after that', async () => {
    const { clock, model, log, replica } = world();
    const keeper = replica('a');
    await clock.advance(1);
    model.problem = 'the database is away';
    await clock.advance(600_000);
    expect(ownedBy(keeper)).toEqual(clusters);
    expect(keeper.remaining('c1')).toBe(0);
    expect(log.lines.filter(({ message }) => message === 'lease renewal failed')).toHaveLength(1);
    model.problem = undefined;
    await clock.advance(1000);
    expect(keeper.remaining('c1')).toBeGreaterThan(8000);
    expect(model.leases.get('c1')?.epoch).toBe(1);
  });

  it.each(['owns clusters', 'owns none'])(
    'that %s states within half a minute that a database cannot be written to, and that it can again',
    async (which) => {
      const { clock, model, log, replica } = world();
      const keeper = replica('a', which === 'owns none' ? [] : clusters);
      await clock.advance(60_000);
      expect([keeper.isConnected(), keeper.writeProblem()]).toEqual([true, undefined]);
      model.writeProblem = 'the server is read-only';
      await clock.advance(20_000);
      expect([keeper.isConnected(), keeper.writeProblem()]).toEqual([false, 'the server is read-only']);
      expect(clock.now().mono - (keeper.view().answeredAt ?? 0)).toBeGreaterThan(10_000);
      expect(log.lines.filter(({ message }) => message.startsWith('lease renewal failed'))).toHaveLength(1);
      model.writeProblem = undefined;
      await clock.advance(1000);
      expect([keeper.isConnected(), keeper.writeProblem()]).toEqual([true, undefined]);
    },
  );

  it('reports that the store is not durable if the database neither answers nor refuses', async () => {
    const { clock, model } = world();
    const link = { isSilent: false };
    const silent = async (): Promise<boolean> => {
      while (link.isSilent) await clock.sleep(1000);
      return true;
    };
    const database = model.connect('a', { arrives: silent, returns: silent });
    const keeper = new LeaseKeeper({ clock, log: recordingLogger(), database, id: 'a' });
    expect(keeper.writeProblem()).toBeUndefined();
    keeper.start(registrationOf('a', clusters));
    await clock.advance(1000);
    link.isSilent = true;
    await clock.advance(20_000);
    expect(keeper.writeProblem()).toBe('PostgreSQL has confirmed no write for 10 s');
    link.isSilent = false;
    await clock.advance(2000);
    expect(keeper.writeProblem()).toBeUndefined();
  });
});
