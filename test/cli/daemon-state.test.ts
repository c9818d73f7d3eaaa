import { describe, expect, it } from 'vitest';
import { openState, storeOptions } from '../../src/cli/daemon-state.ts';
import type { RuntimePorts } from '../../src/cli/ports.ts';
import { loadConfig } from '../../src/config/load.ts';
import { soleOwnership } from '../../src/kernel/ownership.ts';
import { noPeers } from '../../src/kernel/peers.ts';
import { ok } from '../../src/kernel/result.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { testPorts } from '../support/cli-ports.ts';
import { realWorld } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';

const file = {};

function configOf(settings: Readonly<Record<string, unknown>> = {}) {
  const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }] }];
  const loaded = loadConfig(JSON.stringify({ clusters, ...settings }), '/etc/g.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

describe('the state of a daemon', () => {
  it('is in its directory, and in memory for a demo and for a sidecar without policies', () => {
    expect(storeOptions({ config: configOf({ state_dir: '/s' }), file })).toMatchObject({ folder: '/s' });
    expect(storeOptions({ config: configOf() })).not.toHaveProperty('folder');
    expect(storeOptions({ config: configOf({ scope: 'node' }), file })).not.toHaveProperty('folder');
  });

  it('is in the shared database if the configuration names one, and closed before the directory is free', async () => {
    const ports = testPorts();
    const opened: unknown[] = [];
    const runtime: RuntimePorts = {
      ...realWorld,
      openSharedState: async (options) => {
        opened.push(options);
        const peerGate = { isSigned: () => false, protect: () => async () => ({ status: 401 }) };
        const others = { peers: noPeers, peerGate, ownership: soleOwnership };
        return ok({ store: memoryStore(), ...others, clock: ports.clock, unlock: async () => undefined });
      },
    };
    const steps: string[] = [];
    const undo = { add: (step: string) => void steps.push(step) };
    const config = configOf({ state_url: 'postgres://u@db/d', state_dir: '/s' });
    const log = { log: recordingLogger(), setLevel: () => undefined };
    const state = await openState({ config, file, log }, { ports, runtime, undo });
    expect(state).toMatchObject({ ok: true, value: { ownership: soleOwnership } });
    expect(opened).toMatchObject([
      { folder: '/s', settings: { user: 'u', database: 'd' }, program: ports.build.version },
    ]);
    // They are undone in reverse order.
    expect(steps).toEqual(['state directory', 'state']);
  });
});
