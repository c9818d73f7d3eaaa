import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { create, list, patch, remove } from './api.ts';
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
  const stopping = new Set<string>();
  let renewed = performance.now();
  while (!ending.aborted) {
    try {
      if (performance.now() - renewed > heartbeat) {
        renewed = performance.now();
        for (const name of nodeNames) {
          const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`;
          await patch(path, { spec: { renewTime: microTime() } });
        }
      }
      for (const pod of await list('/api/v1/pods?fieldSelector=spec.nodeName!=')) {
        const { uid, deletionTimestamp, namespace, name } = pod.metadata;
        const known = running.get(uid);
        if (stopping.has(uid)) continue;
        if (deletionTimestamp !== undefined) {
          stopping.add(uid);
          running.delete(uid);
          const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
          (known?.stop() ?? remove(path, { gracePeriodSeconds: 0 })).catch(warn);
        } else if (known === undefined && !namespace.startsWith(idlePrefix) && !isOver(pod.status.phase)) {
          const started = new RunningPod(pod);
          running.set(uid, started);
          started.start().catch(warn);
        } else await known?.sync().catch(warn);
      }
    } catch (error) {
      warn(error);
    }
    await pause(turn);
  }
}

function warn(error: unknown): void {
  appendFileSync(join(clusterFolder, 'kubelet.log'), `${String(error)}\n`);
}

function isOver(phase: unknown): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
