import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { find, type KubeObject, patch, remove } from './api.ts';
import { RunningContainer, type Surroundings } from './container.ts';
import { openPodNetwork, type PodNetwork } from './network.ts';
import { gateway, podFolder } from './places.ts';
import { type Container, type PodSpec, podSpec } from './pod-spec.ts';
import { type MountedVolume, openVolume } from './volumes.ts';

/** A pod with its network, volumes and containers. */
export class RunningPod {
  readonly #object: KubeObject;
  readonly #spec: PodSpec;
  readonly #network: PodNetwork;
  readonly #volumes: ReadonlyMap<string, MountedVolume>;
  readonly #inits: readonly RunningContainer[];
  readonly #containers: readonly RunningContainer[];
  #isStopping = false;
  #isInitialized = false;
  #isFailed = false;
  #reported = '';

  constructor(object: KubeObject) {
    this.#object = object;
    this.#spec = podSpec.parse(object.spec);
    const { uid, namespace } = object.metadata;
    this.#network = openPodNetwork(uid);
    const folder = podFolder(uid);
    mkdirSync(folder, { recursive: true });
    const search = `${namespace}.svc.cluster.local svc.cluster.local cluster.local`;
    writeFileSync(join(folder, 'resolv.conf'), `nameserver ${gateway}\nsearch ${search}\noptions ndots:5\n`);
    const pod = { namespace, spec: this.#spec };
    this.#volumes = new Map(
      this.#spec.volumes.map((volume) => [volume.name, openVolume(volume, pod, join(folder, `volume-${volume.name}`))]),
    );
    const surroundings = this.#surroundings(folder);
    this.#inits = this.#spec.initContainers.map(
      (one) => new RunningContainer(one, surroundings, one.restartPolicy === 'Always'),
    );
    this.#containers = this.#spec.containers.map(
      (one) => new RunningContainer(one, surroundings, this.#spec.restartPolicy === 'Always'),
    );
  }

  #surroundings(folder: string): Surroundings {
    const { uid, name } = this.#object.metadata;
    return {
      spec: this.#spec,
      uid,
      name,
      address: this.#network.address,
      network: this.#network.path,
      folder,
      volumes: new Map([...this.#volumes].map(([volume, { folder: at }]) => [volume, at])),
      environment: (container) => this.#environment(container),
    };
  }

  get #path(): string {
    return `/api/v1/namespaces/${this.#object.metadata.namespace}/pods/${this.#object.metadata.name}`;
  }

  /** Starts the containers in their order as soon as the volumes are ready. */
  async start(): Promise<void> {
    while (!this.#isStopping && !(await this.#updateVolumes())) await pause(200, undefined, { ref: false });
    for (const init of this.#inits) {
      if (this.#isStopping) return;
      await init.start();
      const isOver = (): boolean =>
        init.container.restartPolicy === 'Always' ? init.isStarted : init.code !== undefined;
      while (!this.#isStopping && !isOver()) await pause(50, undefined, { ref: false });
      if ((init.code ?? 0) > 0) {
        this.#isFailed = true;
        return;
      }
    }
    this.#isInitialized = true;
    if (!this.#isStopping) await Promise.all(this.#containers.map((one) => one.start()));
  }

  async #updateVolumes(): Promise<boolean> {
    const all = await Promise.all([...this.#volumes.values()].map((volume) => volume.update()));
    return !all.includes(false);
  }

  /** Updates the volumes, and the status of the pod in the API server. */
  async sync(): Promise<void> {
    if (this.#isInitialized) await this.#updateVolumes();
    const status = this.#status();
    const text = JSON.stringify(status);
    if (text === this.#reported) return;
    await patch(`${this.#path}/status`, { status }, 'strategic');
    this.#reported = text;
  }

  #status(): object {
    const sidecars = this.#inits.filter(({ container }) => container.restartPolicy === 'Always');
    const isReady = this.#isInitialized && [...this.#containers, ...sidecars].every((one) => one.isReady);
    const codes = this.#containers.map(({ code }) => code);
    const isOver = this.#isFailed || (this.#isInitialized && !codes.includes(undefined));
    const isGood = !this.#isFailed && codes.every((code) => code === 0);
    const phase = isOver ? (isGood ? 'Succeeded' : 'Failed') : this.#isInitialized ? 'Running' : 'Pending';
    return {
      phase,
      hostIP: '127.0.0.1',
      podIP: this.#network.address,
      podIPs: [{ ip: this.#network.address }],
      conditions: [
        condition('Initialized', this.#isInitialized),
        condition('ContainersReady', isReady),
        condition('Ready', isReady),
      ],
      initContainerStatuses: this.#inits.map((one) => one.status()),
      containerStatuses: this.#containers.map((one) => one.status()),
    };
  }

  /** Stops the containers, native sidecars last, and deletes the pod from the API server. */
  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    await Promise.all(this.#containers.map((one) => one.stop()));
    for (const one of this.#inits.toReversed()) await one.stop();
    this.#network.close();
    await remove(this.#path, { gracePeriodSeconds: 0, preconditions: { uid: this.#object.metadata.uid } });
  }

  /** Kills all containers at once, as when the host goes down, without an update of the API server. */
  async crash(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    await Promise.all([...this.#containers, ...this.#inits].map((one) => one.crash()));
    this.#network.close();
  }

  async #environment({ env }: Container): Promise<readonly string[]> {
    const { name, namespace } = this.#object.metadata;
    const fields: Readonly<Record<string, string>> = {
      'metadata.name': name,
      'metadata.namespace': namespace,
      'status.podIP': this.#network.address,
      'spec.nodeName': this.#spec.nodeName,
    };
    const known = new Map<string, string>([['HOSTNAME', name]]);
    for (const { name: variable, value, valueFrom } of env) {
      const secret = valueFrom?.secretKeyRef;
      const found =
        secret === undefined
          ? (value ?? fields[valueFrom?.fieldRef?.fieldPath ?? ''])
          : (await find(`/api/v1/namespaces/${namespace}/secrets/${secret.name}`))?.data[secret.key];
      const text = secret === undefined ? found : Buffer.from(found ?? '', 'base64').toString();
      if (text !== undefined)
        known.set(
          variable,
          text.replaceAll(/\$\((\w+)\)/g, (whole, inner: string) => known.get(inner) ?? whole),
        );
    }
    return [...known].map(([variable, value]) => `${variable}=${value}`);
  }
}

function condition(type: string, holds: boolean): object {
  return { type, status: holds ? 'True' : 'False' };
}
