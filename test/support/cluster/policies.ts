import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { requireTool } from '../tools.ts';
import { type KubeObject, list } from './api.ts';
import { gateway, networkPath } from './places.ts';
import { podSpec } from './pod-spec.ts';

const selector = z.object({
  matchLabels: z.record(z.string(), z.string()).default({}),
  matchExpressions: z
    .array(z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).default([]) }))
    .default([]),
});
const peer = z.object({
  podSelector: selector.optional(),
  namespaceSelector: selector.optional(),
  ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
const rule = z.object({
  from: z.array(peer).optional(),
  to: z.array(peer).optional(),
  ports: z
    .array(
      z.object({
        protocol: z.string().default('TCP'),
        port: z.union([z.number(), z.string()]).optional(),
        endPort: z.number().optional(),
      }),
    )
    .default([]),
});
const policySpec = z.object({
  podSelector: selector,
  policyTypes: z.array(z.string()),
  ingress: z.array(rule).default([]),
  egress: z.array(rule).default([]),
});

type Selector = z.infer<typeof selector>;
type Peer = z.infer<typeof peer>;
type Rule = z.infer<typeof rule>;
type Labels = Readonly<Record<string, string>>;

/** Pod at one end of a connection. */
interface Pod {
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly address: string;
  readonly ports: readonly { readonly name?: string | undefined; readonly containerPort: number }[];
}

/** Objects of the API server that network policies refer to. */
interface View {
  readonly pods: readonly Pod[];
  readonly namespaces: ReadonlyMap<string, Labels>;
}

/** Enforces the network policies with a packet filter in the network of each pod, for IPv4 only. */
export class PolicyEnforcer {
  readonly #filters = new Map<string, string>();

  /** Updates the packet filters. */
  async update(): Promise<void> {
    const policies = await list('/apis/networking.k8s.io/v1/networkpolicies');
    const namespaces = await list('/api/v1/namespaces');
    const pods = (await list('/api/v1/pods?fieldSelector=status.phase=Running')).flatMap(endOf);
    const view = { pods, namespaces: new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels])) };
    for (const pod of pods) {
      const text = filterOf(pod, policies, view);
      if (this.#filters.get(pod.uid) === text || !existsSync(networkPath(pod.uid))) continue;
      const args = [`--net=${networkPath(pod.uid)}`, requireTool('iptables-restore')];
      execFileSync(requireTool('nsenter'), args, { input: text });
      this.#filters.set(pod.uid, text);
    }
  }
}

function endOf({ metadata, spec, status }: KubeObject): readonly Pod[] {
  const { containers, initContainers } = podSpec.parse(spec);
  const ports = [...containers, ...initContainers].flatMap((one) => one.ports);
  const { uid, namespace, labels } = metadata;
  return typeof status.podIP === 'string' ? [{ uid, namespace, labels, address: status.podIP, ports }] : [];
}

/** Returns the packet filter of a pod in the format of `iptables-restore`. */
function filterOf(pod: Pod, policies: readonly KubeObject[], view: View): string {
  const own = policies
    .filter(({ metadata }) => metadata.namespace === pod.namespace)
    .map(({ spec }) => policySpec.parse(spec))
    .filter(({ podSelector }) => matches(podSelector, pod.labels));
  const chain = (name: string, direction: 'ingress' | 'egress'): readonly string[] => {
    const type = direction === 'ingress' ? 'Ingress' : 'Egress';
    const selecting = own.filter(({ policyTypes }) => policyTypes.includes(type));
    if (selecting.length === 0) return [`:${name} ACCEPT`];
    const rules = selecting.flatMap((one) => one[direction].flatMap((each) => linesOf(each, pod, direction, view)));
    const always = ['-m conntrack --ctstate ESTABLISHED,RELATED', direction === 'ingress' ? '-i lo' : '-o lo'];
    // The node may always connect to its pods.
    if (direction === 'ingress') always.push(`-s ${gateway}`);
    return [`:${name} DROP`, ...[...always, ...rules].map((match) => `-A ${name} ${match} -j ACCEPT`)];
  };
  const [incoming, outgoing] = [chain('INPUT', 'ingress'), chain('OUTPUT', 'egress')];
  const lines = [...incoming, ...outgoing];
  return ['*filter', ...lines.filter(isChain), ...lines.filter((line) => !isChain(line)), 'COMMIT', ''].join('\n');
}

function isChain(line: string): boolean {
  return line.startsWith(':');
}

/** Returns the matches of one rule of a policy. */
function linesOf({ from, to, ports }: Rule, pod: Pod, direction: 'ingress' | 'egress', view: View): readonly string[] {
  const side = direction === 'ingress' ? '-s' : '-d';
  const peers = direction === 'ingress' ? from : to;
  const ends: readonly { readonly match: string; readonly pod?: Pod }[] =
    peers === undefined ? [{ match: '' }] : peers.flatMap((one) => endsOf(one, pod.namespace, side, view));
  return ends.flatMap(({ match, pod: other }) => {
    if (ports.length === 0) return [match];
    const named = direction === 'ingress' ? pod : other;
    return ports.flatMap(({ protocol, port, endPort }) => {
      const kind = `-p ${protocol.toLowerCase()}`;
      if (port === undefined) return [`${match} ${kind}`];
      const number = typeof port === 'number' ? port : named?.ports.find(({ name }) => name === port)?.containerPort;
      return number === undefined ? [] : [`${match} ${kind} --dport ${number}${endPort ? `:${endPort}` : ''}`];
    });
  });
}

function endsOf(
  { podSelector, namespaceSelector, ipBlock }: Peer,
  namespace: string,
  side: string,
  { pods, namespaces }: View,
): readonly { readonly match: string; readonly pod?: Pod }[] {
  if (ipBlock !== undefined) {
    if (ipBlock.except.length > 0) throw new Error('exceptions of networks are not enforced here');
    return [{ match: `${side} ${ipBlock.cidr}` }];
  }
  return pods
    .filter((pod) =>
      namespaceSelector === undefined
        ? pod.namespace === namespace
        : matches(namespaceSelector, namespaces.get(pod.namespace) ?? {}),
    )
    .filter(({ labels }) => podSelector === undefined || matches(podSelector, labels))
    .map((pod) => ({ match: `${side} ${pod.address}`, pod }));
}

function matches({ matchLabels, matchExpressions }: Selector, labels: Labels): boolean {
  const tests: Readonly<Record<string, (value: string | undefined, values: readonly string[]) => boolean>> = {
    In: (value, values) => value !== undefined && values.includes(value),
    NotIn: (value, values) => value === undefined || !values.includes(value),
    Exists: (value) => value !== undefined,
    DoesNotExist: (value) => value === undefined,
  };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => tests[operator]?.(labels[key], values) === true)
  );
}
