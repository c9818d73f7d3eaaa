import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { requireTool } from '../tools.ts';
import { imageRoot } from './image.ts';
import type { Container, PodSpec, Probe } from './pod-spec.ts';

/** Environment that a pod provides to its containers. */
export interface Surroundings {
  readonly spec: PodSpec;
  readonly uid: string;
  readonly name: string;
  readonly address: string;
  readonly network: string;
  /** Folder of the pod, which contains the logs. */
  readonly folder: string;
  readonly volumes: ReadonlyMap<string, string>;
  environment(container: Container): Promise<readonly string[]>;
}

/** Pause before a container that has ended is started again. */
const restartPause = 1000;
const probePause = 250;

/** Container that is started, probed and restarted as the spec of its pod requires. */
export class RunningContainer {
  readonly container: Container;
  readonly #pod: Surroundings;
  readonly #isRestarted: boolean;
  #process: ChildProcess | undefined;
  #startedAt = '';
  #code: number | undefined;
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;
  #fails = { ready: 0, live: 0 };
  #due = { ready: 0, live: 0 };
  restarts = 0;
  isReady = false;
  isStarted = false;

  constructor(container: Container, pod: Surroundings, isRestarted: boolean) {
    this.container = container;
    this.#pod = pod;
    this.#isRestarted = isRestarted;
  }

  /** Exit code of a container that is not restarted; undefined otherwise. */
  get code(): number | undefined {
    return this.#isRestarted ? undefined : this.#code;
  }

  get #id(): string {
    return containerId(this.#pod.uid, this.container.name);
  }

  async start(): Promise<void> {
    const { folder } = this.#pod;
    const bundle = join(folder, `bundle-${this.container.name}`);
    mkdirSync(bundle, { recursive: true });
    const environment = await this.#pod.environment(this.container);
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(this.#settings(environment)));
    await run('crun', 'delete', '--force', this.#id);
    if (this.#isStopping) return;
    const log = openSync(join(folder, `${this.container.name}.log`), 'a');
    const args = ['--cgroup-manager=disabled', 'run', '--bundle', bundle, this.#id];
    this.#code = undefined;
    this.#startedAt = `${new Date().toISOString().slice(0, 19)}Z`;
    const child = spawn(requireTool('crun'), args, { stdio: ['ignore', log, log] });
    // A container ends with the namespaces of the cluster, and must not keep this process alive until then.
    child.unref();
    this.#process = child;
    child.on('close', (code) => this.#ended(code ?? 137));
    this.isStarted = this.container.startupProbe === undefined;
    this.isReady = this.isStarted && this.container.readinessProbe === undefined;
    this.#fails = { ready: 0, live: 0 };
    this.#watch();
  }

  #ended(code: number): void {
    this.#code = code;
    this.isReady = false;
    clearTimeout(this.#timer);
    if (!this.#isRestarted || this.#isStopping) return;
    setTimeout(() => {
      if (this.#isStopping) return;
      this.restarts += 1;
      this.start().catch(() => undefined);
    }, restartPause).unref();
  }

  #watch(): void {
    const { readinessProbe, livenessProbe, startupProbe } = this.container;
    if (readinessProbe === undefined && livenessProbe === undefined && startupProbe === undefined) return;
    this.#timer = setTimeout(() => {
      this.#probe()
        .catch(() => undefined)
        .finally(() => {
          if (this.#code === undefined && !this.#isStopping) this.#watch();
        });
    }, probePause).unref();
  }

  async #probe(): Promise<void> {
    const { startupProbe, readinessProbe, livenessProbe } = this.container;
    if (!this.isStarted) {
      this.isStarted = startupProbe === undefined || (await this.#passes(startupProbe));
      if (this.isStarted) this.isReady = readinessProbe === undefined;
      return;
    }
    const now = performance.now();
    if (readinessProbe !== undefined && now >= this.#due.ready) {
      const isPassed = await this.#passes(readinessProbe);
      this.#fails.ready = isPassed ? 0 : this.#fails.ready + 1;
      if (isPassed) this.isReady = true;
      else if (this.#fails.ready >= readinessProbe.failureThreshold) this.isReady = false;
      // A real kubelet also polls at once after a change; the tests wait for both.
      this.#due.ready = now + Math.min(readinessProbe.periodSeconds * 1000, this.isReady ? 2000 : 500);
    }
    if (livenessProbe !== undefined && now >= this.#due.live) {
      this.#fails.live = (await this.#passes(livenessProbe)) ? 0 : this.#fails.live + 1;
      this.#due.live = now + livenessProbe.periodSeconds * 1000;
      if (this.#fails.live >= livenessProbe.failureThreshold) await run('crun', 'kill', this.#id, 'TERM');
    }
  }

  async #passes({ httpGet, exec, timeoutSeconds }: Probe): Promise<boolean> {
    if (exec !== undefined) return (await run('crun', 'exec', this.#id, ...exec.command)) === 0;
    if (httpGet === undefined) return true;
    const port =
      typeof httpGet.port === 'number'
        ? httpGet.port
        : this.container.ports.find(({ name }) => name === httpGet.port)?.containerPort;
    const url = `${httpGet.scheme.toLowerCase()}://${this.#pod.address}:${port}${httpGet.path}`;
    const status = await statusOf(url, timeoutSeconds * 1000);
    return status >= 200 && status < 400;
  }

  /** Sends SIGTERM and, when the grace period is over, SIGKILL. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (child === undefined || this.#code !== undefined) return;
    const ended = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
    });
    await run('crun', 'kill', this.#id, 'TERM');
    const grace = this.#pod.spec.terminationGracePeriodSeconds * 1000;
    const insist = setTimeout(() => void run('crun', 'kill', this.#id, 'KILL'), grace);
    if (this.#code === undefined) await ended;
    clearTimeout(insist);
  }

  /** Kills the container with SIGKILL and does not restart it. */
  async crash(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    if (this.#process !== undefined && this.#code === undefined) await run('crun', 'kill', this.#id, 'KILL');
  }

  /** Returns the container status for the API server. */
  status(): object {
    const { name, image } = this.container;
    const common = {
      name,
      image,
      imageID: image,
      restartCount: this.restarts,
      ready: this.isReady,
      started: this.isStarted,
    };
    if (this.#code !== undefined) {
      const reason = this.#code === 0 ? 'Completed' : 'Error';
      return { ...common, state: { terminated: { exitCode: this.#code, reason, startedAt: this.#startedAt } } };
    }
    if (this.#process === undefined) return { ...common, state: { waiting: { reason: 'ContainerCreating' } } };
    return { ...common, state: { running: { startedAt: this.#startedAt } } };
  }

  /** Returns the configuration of the container in the format of the OCI runtime specification. */
  #settings(environment: readonly string[]): object {
    const { spec, name, network, folder } = this.#pod;
    const context = { ...spec.securityContext, ...this.container.securityContext };
    const group = spec.securityContext?.fsGroup;
    const own = this.container.volumeMounts.map(({ name: volume, mountPath, readOnly }) => ({
      destination: mountPath,
      type: 'bind',
      source: this.#pod.volumes.get(volume) ?? '',
      options: ['rbind', readOnly ? 'ro' : 'rw'],
    }));
    const capabilities = Object.fromEntries(
      ['bounding', 'effective', 'inheritable', 'permitted', 'ambient'].map((set) => [set, []]),
    );
    const { command, args } = this.container;
    return {
      ociVersion: '1.0.0',
      process: {
        user: {
          uid: context.runAsUser ?? 65_532,
          gid: context.runAsGroup ?? 65_532,
          additionalGids: group === undefined ? [] : [group],
        },
        args: [...(command ?? ['/usr/local/bin/graphwarden']), ...(args ?? [])],
        env: ['PATH=/usr/local/bin:/nodejs/bin', ...environment],
        cwd: '/var/lib/graphwarden',
        capabilities,
        noNewPrivileges: context.allowPrivilegeEscalation === false,
      },
      root: { path: imageRoot, readonly: context.readOnlyRootFilesystem === true },
      hostname: name.slice(0, 63),
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
        { destination: '/etc/resolv.conf', type: 'bind', source: join(folder, 'resolv.conf'), options: ['bind', 'ro'] },
        ...own,
      ],
      linux: {
        namespaces: [...['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })), { type: 'network', path: network }],
      },
    };
  }
}

/** The name of a container in crun. */
export function containerId(uid: string, name: string): string {
  return `${uid.slice(0, 8)}-${name}`;
}

function run(tool: string, ...args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    execFile(requireTool(tool), args, (error) => resolve(error === null ? 0 : 1));
  });
}

function statusOf(url: string, timeout: number): Promise<number> {
  return new Promise((resolve) => {
    const options = { timeout, rejectUnauthorized: false };
    const sent = url.startsWith('https') ? secureRequest(url, options) : request(url, options);
    sent.on('response', (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(0));
    sent.on('close', () => resolve(0));
    sent.end();
  });
}
