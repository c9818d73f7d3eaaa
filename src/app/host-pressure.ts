import type { Collector } from '../collect/collector.ts';
import { hostCpuUsage, hostMemoryTotal, hostMemoryUsed } from '../collect/host-metrics.ts';
import type { GateSource } from '../guard/policy.ts';
import type { Fact } from '../model/situation.ts';

const cpu = hostCpuUsage.name;
const used = hostMemoryUsed.name;
const total = hostMemoryTotal.name;

/** The families that tell how hard hosts are pressed. */
export const hostFamilies: readonly string[] = [cpu, used, total];

/** Whether a collector reads any of them. */
export function tellsOfHosts({ metrics }: Pick<Collector, 'metrics'>): boolean {
  return metrics.some(({ name }) => hostFamilies.includes(name));
}

/** How hard a host is pressed by what is shown of it; undefined where that does not tell, or where there is no limit. */
export function hostPressures(
  facts: (family: string) => readonly Fact[],
  host: string,
): ReadonlyMap<GateSource, number | undefined> {
  const of = (family: string) => facts(family).find(({ labels }) => labels.host_id === host)?.value;
  const [taken, all] = [of(used), of(total)];
  const memory = taken === undefined || all === undefined || all <= 0 ? undefined : taken / all;
  return new Map([
    ['node_memory', memory],
    ['node_cpu', of(cpu)],
  ]);
}
