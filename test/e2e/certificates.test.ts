import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FailureReason } from '../../src/kernel/failure.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { SimulatedAuth } from '../../src/simulator/options.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { type InProcessDaemon, type Page, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { startTcpRelay, type TcpRelay } from '../support/tcp-relay.ts';
import { authority, keyPair, tlsFolder } from '../support/tls.ts';

type Settings = Readonly<Record<string, unknown>>;

const often = { interval: '1s', timeout: '1s' };
const ca_file = join(tlsFolder, 'ca.pem');
const ours = { cert_file: join(tlsFolder, 'client.pem'), key_file: join(tlsFolder, 'client.key') };
const others = { cert_file: join(tlsFolder, 'other.pem'), key_file: join(tlsFolder, 'other.key') };
/** A server that requests a client certificate of the authority that signed its own. */
const strict: TlsOptions = { ...keyPair('server'), ca: authority, requestCert: true, rejectUnauthorized: true };

async function simulated(auth: SimulatedAuth = { kind: 'none' }): Promise<Simulator> {
  const simulator = await startSimulator({ nodes: 1, auth }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** A server behind encryption. */
async function secured(tls: TlsOptions, auth?: SimulatedAuth): Promise<TcpRelay> {
  const { nodes } = await simulated(auth);
  return startTcpRelay(nodes[0]?.port ?? 0, tls);
}

/** A daemon over some nodes of one cluster. */
async function startMonitoring(
  relays: readonly TcpRelay[],
  cluster: Settings,
  collectors: Settings = {},
): Promise<InProcessDaemon> {
  const nodes = relays.map(({ url }, at) => ({ name: `m${at + 1}`, url }));
  const daemon = await startInProcessDaemon(
    { clusters: [{ name: 'c', nodes, ...cluster }], collectors },
    { random: { next: () => 0 } },
  );
  onTestFinished(() => daemon.stop());
  return daemon;
}

/** The reasons of the failures of one node's liveness so far. */
function errors({ families }: Page, node: string): readonly string[] {
  const failures = families.get('graphwarden_collector_failures_total')?.samples ?? [];
  const counted = failures.filter(({ labels, value }) => labels.collector === 'health' && value > 0);
  return counted.filter(({ labels }) => labels.node === node).map(({ labels }) => labels.reason ?? '');
}

const cases: readonly (readonly [string, TlsOptions, Settings, FailureReason | undefined])[] = [
  ['our authority and our certificate', strict, { ca_file, ...ours }, undefined],
  ['our authority alone, if the server requests a certificate', strict, { ca_file }, 'tls'],
  // This server cuts the connection and does not say why.
  ["a stranger's certificate", strict, { ca_file, ...others }, 'unreachable'],
  ['our authority, if the server requests no certificate', keyPair('server'), { ca_file }, undefined],
  ['an authority that the system does not know', keyPair('server'), {}, 'tls'],
  ['an expired certificate', keyPair('expired'), { ca_file }, 'tls'],
  ['an expired certificate that is let pass', keyPair('expired'), { insecure_skip_verify: true }, undefined],
  ['the certificate of another server', keyPair('elsewhere'), { ca_file }, 'tls'],
  ['the same, under its name', keyPair('elsewhere'), { ca_file, server_name: 'elsewhere.test' }, undefined],
  ['a server that another authority signed', keyPair('other'), { ca_file }, 'tls'],
];

describe('a daemon with HTTPS', () => {
  it.each(cases)('with %s', async (_, server, tls, reason) => {
    const daemon = await startMonitoring([await secured(server)], { tls });
    const page = await daemon.page();
    expect(page.value('graphdb_up', { node: 'm1' })).toBe(reason === undefined ? 1 : 0);
    expect(errors(page, 'm1')).toEqual(reason === undefined ? [] : [reason]);
    expect(page.families.has('graphdb_service_status')).toBe(reason === undefined);
  });

  it('reports an invalid certificate for its node only', async () => {
    const relays = [await secured(keyPair('server')), await secured(keyPair('expired'))];
    const page = await (await startMonitoring(relays, { tls: { ca_file } })).page();
    expect([page.value('graphdb_up', { node: 'm1' }), page.value('graphdb_up', { node: 'm2' })]).toEqual([1, 0]);
    expect([errors(page, 'm1'), errors(page, 'm2')]).toEqual([[], ['tls']]);
    expect(page.families.has('graphdb_service_status')).toBe(true);
  });

  it('uses a new client certificate without a restart, and reports an invalid one', async () => {
    const folder = await temporaryFolder();
    const files = { cert_file: join(folder, 'client.pem'), key_file: join(folder, 'client.key') };
    const put = async (name: 'client' | 'other'): Promise<void> => {
      await copyFile(join(tlsFolder, `${name}.pem`), files.cert_file);
      await copyFile(join(tlsFolder, `${name}.key`), files.key_file);
    };
    await writeFile(files.cert_file, 'nonsense');
    await writeFile(files.key_file, 'nonsense');
    const daemon = await startMonitoring([await secured(strict)], { tls: { ca_file, ...files } }, { health: often });
    const up = (value: number): Promise<unknown> =>
      eventually(`up is ${value}`, async () => (await daemon.page()).value('graphdb_up') === value);
    expect(errors(await daemon.page(), 'm1')).toEqual(['tls']);
    for (const [name, value] of [
      ['client', 1],
      ['other', 0],
      ['client', 1],
    ] as const) {
      await put(name);
      await up(value);
    }
  });

  it('shows when the token ends that a secret was exchanged for', async () => {
    const relay = await secured(strict, { kind: 'secret', secret: 's' });
    const daemon = await startMonitoring([relay], { tls: { ca_file, ...ours }, read_auth: { secret: 's' } });
    const name = 'graphwarden_token_expiration_timestamp_seconds';
    const expires = await eventually('the end is shown', async () => (await daemon.page()).value(name, { node: 'm1' }));
    expect(expires).toBeGreaterThan(Date.now() / 1000 + 60);
    expect((await daemon.page()).value('graphwarden_collector_success', { collector: 'queries' })).toBe(1);
  });
});
