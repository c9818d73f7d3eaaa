import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { create, type KubeObject, list, patch, remove } from './api.ts';
import { clusterFolder, nodeNames } from './places.ts';
import { RunningPod } from './pod.ts';

/** Pause between two looks at the pods. */
const turn = 250;
const heartbeat = 10_000;

/** Namespaces whose pods are created and never run: only their objects matter. */
export const idlePrefix = 'idle-';

/**
 * Runs the pods of all nodes. A kubelet for tests: containers with crun in network namespaces, without registry, limits on
 * resources, network policies and service addresses.
 */
export async function startKubelet(): Promise<AbortController> {
  for (const name of nodeNames) await makeNode(name);
  const ending = new AbortController();
  void runPods(ending.signal);
  return ending;
}

async function makeNode(name: string): Promise<void> {
  await create('/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
  const room = { cpu: '64', memory: '256Gi', pods: '250', 'ephemeral-storage': '100Gi' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Test', message: 'test' }];
  await patch(`/api/v1/nodes/${name}/status`, { status: { capacity: room, allocatable: room, conditions } });
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() };
  await create('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', { metadata: { name }, spec });
}

function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}

async function runPods(ending: AbortSignal): Promise<void> {
  const running = new Map<string, RunningPod>();
  let renewed = performance.now();
  while (!ending.aborted) {
    try {
      if (performance.now() - renewed > heartbeat) {
        renewed = performance.now();
        await renewLeases();
      }
      for (const pod of await list('/api/v1/pods?fieldSelector=spec.nodeName!=')) await tend(pod, running);
    } catch (error) {
      warn(error);
    }
    await pause(turn);
  }
}

async function renewLeases(): Promise<void> {
  for (const name of nodeNames) {
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`;
    await patch(path, { spec: { renewTime: microTime() } });
  }
}

/** Starts, updates or stops one pod. */
async function tend(pod: KubeObject, running: Map<string, RunningPod>): Promise<void> {
  const { uid, deletionTimestamp, namespace, name } = pod.metadata;
  const known = running.get(uid);
  if (deletionTimestamp !== undefined) {
    if (known !== undefined) known.stop().catch(warn);
    else await remove(`/api/v1/namespaces/${namespace}/pods/${name}`, { gracePeriodSeconds: 0 });
    return;
  }
  if (known !== undefined) return known.sync().catch(warn);
  if (namespace.startsWith(idlePrefix) || isOver(pod.status.phase)) return;
  const started = new RunningPod(pod);
  running.set(uid, started);
  started.start().catch(warn);
}

function warn(error: unknown): void {
  appendFileSync(join(clusterFolder, 'kubelet.log'), `${String(error)}\n`);
}

function isOver(phase: unknown): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
