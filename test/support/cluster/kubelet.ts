import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { create, type KubeObject, list, patch, remove } from './api.ts';
import { kubeletStatus } from './kubelet-server.ts';
import { clusterFolder, losableNodes, lossFile, nodeNames } from './places.ts';
import { RunningPod } from './pod.ts';
import { PolicyEnforcer } from './policies.ts';

/** Time between two checks of the pods. */
const turn = 250;
/** Time between two heartbeats of all nodes. The controllers treat a node as lost after fifteen seconds without one. */
const heartbeat = 3000;

/** Namespaces whose pods are created and never run: only their objects matter. */
export const idlePrefix = 'idle-';

const allNodes = [...nodeNames, ...losableNodes];
const pods = '/api/v1/pods?fieldSelector=spec.nodeName!=';

/**
 * Runs the pods of all nodes. A kubelet for tests: containers with crun in network namespaces, without registry, limits on
 * resources and service addresses.
 */
export async function startKubelet(): Promise<AbortController> {
  for (const name of allNodes) await makeNode(name);
  const ending = new AbortController();
  const nodes = new Map(allNodes.map((name) => [name as string, new Node(name)]));
  const enforcer = new PolicyEnforcer();
  void repeat(ending.signal, turn, async () => {
    for (const pod of await list(pods)) await nodes.get(String(pod.spec.nodeName))?.tend(pod);
  });
  void repeat(ending.signal, heartbeat, async () => {
    for (const node of nodes.values()) await node.renew();
  });
  void repeat(ending.signal, turn * 4, () => enforcer.update());
  return ending;
}

async function repeat(ending: AbortSignal, interval: number, work: () => Promise<void>): Promise<void> {
  while (!ending.aborted) {
    await work().catch(warn);
    await pause(interval);
  }
}

async function makeNode(name: string): Promise<void> {
  const isLosable = losableNodes.some((one) => one === name);
  await create('/api/v1/nodes', {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...(isLosable && { pool: 'losable' }) } },
    spec: isLosable ? { taints: [{ key: 'losable', effect: 'NoSchedule' }] } : {},
  });
  await reportReady(name);
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() };
  await create('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', { metadata: { name }, spec });
}

async function reportReady(name: string): Promise<void> {
  const room = { cpu: '64', memory: '256Gi', pods: '250', 'ephemeral-storage': '100Gi' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Test', message: 'test' }];
  await patch(`/api/v1/nodes/${name}/status`, {
    status: { ...kubeletStatus, capacity: room, allocatable: room, conditions },
  });
}

function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}

/** A node with the pods that run on it. */
class Node {
  readonly #name: string;
  readonly #running = new Map<string, RunningPod>();
  #wasLost = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** Renews the lease of the node, and reports the node as ready after a loss. */
  async renew(): Promise<void> {
    if (await this.#isLost()) return;
    if (this.#wasLost) await reportReady(this.#name);
    this.#wasLost = false;
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${this.#name}`;
    await patch(path, { spec: { renewTime: microTime() } });
  }

  async #isLost(): Promise<boolean> {
    const how = howLost(this.#name);
    if (how === undefined) return false;
    this.#wasLost = true;
    if (how === 'kubelet') return true;
    const ended = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(ended.map((pod) => pod.crash()));
    return true;
  }

  /** Starts, updates or stops one pod. */
  async tend(pod: KubeObject): Promise<void> {
    if (await this.#isLost()) return;
    const { uid, deletionTimestamp, namespace, name } = pod.metadata;
    const known = this.#running.get(uid);
    if (deletionTimestamp !== undefined) {
      if (known !== undefined) known.stop().catch(warn);
      else await remove(`/api/v1/namespaces/${namespace}/pods/${name}`, { gracePeriodSeconds: 0 });
      return;
    }
    if (known !== undefined) return known.sync().catch(warn);
    if (namespace.startsWith(idlePrefix) || isOver(pod.status.phase)) return;
    const started = new RunningPod(pod);
    this.#running.set(uid, started);
    started.start().catch(warn);
  }
}

function howLost(node: string): string | undefined {
  try {
    return readFileSync(lossFile(node), 'utf8');
  } catch {
    return undefined;
  }
}

function warn(error: unknown): void {
  appendFileSync(join(clusterFolder, 'kubelet.log'), `${String(error)}\n`);
}

function isOver(phase: unknown): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
