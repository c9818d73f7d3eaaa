/** Families of a page: those that are only passed through, or those that are also normalized. */
export type Mix = 'passthrough' | 'normalised';

/** Page in chunks: the first chunk changes with each response, the rest alternates between two variants. */
export interface UpstreamPage {
  answer(count: number, wallSeconds: number): readonly Buffer[];
}

const statistics = ['max_latency', 'min_latency', 'average_latency'];

/** Creates a page of `series` series in the format of the informant. No value is the same in two consecutive responses. */
export function upstreamPage(series: number, mix: Mix): UpstreamPage {
  const render = mix === 'passthrough' ? endpointFamilies : hostFamilies;
  const variants = [0, 1].map((variant) => Buffer.from(statusFamily() + render(series - 12, variant)));
  return {
    answer: (count, wallSeconds) => [
      Buffer.from(family('svc_served_seconds', [`{} ${wallSeconds}`]) + family('svc_served_answers', [`{} ${count}`])),
      variants[count % 2] ?? Buffer.alloc(0),
    ],
  };
}

function statusFamily(): string {
  const services = ['ADMIN', 'CTRL', 'DICT', 'ETCD', 'GSQL', 'GUI', 'IFM', 'KAFKA', 'NGINX', 'RESTPP'];
  return family(
    'svc_service_status',
    services.map((service) => `{partition="",replica="1",service_name="${service}"} 6`),
  );
}

function endpointFamilies(series: number, variant: number): string {
  const endpoints = Math.ceil(series / 6);
  const numbers = Array.from({ length: endpoints }, (_, at) => at);
  const plain = (name: string, scale: number): string =>
    family(
      name,
      numbers.map((at) => `{${endpointLabels(at)}} ${numberAt(at, variant) * scale}`),
    );
  const latencies = numbers.flatMap((at) =>
    statistics.map((statistic) => `{${endpointLabels(at)},statistic="${statistic}"} ${numberAt(at, variant)}`),
  );
  const counts = ['svc_qps', 'svc_endpoint_completed', 'svc_endpoint_timeout'].map((name, at) => plain(name, at + 1));
  return counts.join('') + family('svc_endpoint_latency', latencies.slice(0, series - 3 * endpoints));
}

function endpointLabels(at: number): string {
  return `endpoint="GET /query/graph_${at % 7}/query_number_${at}",host_id="m${(at % 3) + 1}",service_name="RESTPP"`;
}

function hostFamilies(series: number, variant: number): string {
  const rows = (from: number, scale: number): string[] =>
    Array.from({ length: Math.floor((series + from) / 2) }, (_, at) => {
      const service = ['', 'GPE', 'GSE', 'GSQL', 'RESTPP', 'KAFKA', 'NGINX', 'ZK', 'ETCD', 'ADMIN'][at % 10];
      return `{host_id="m${Math.floor(at / 10)}",service_name="${service}"} ${numberAt(at, variant) * scale}`;
    });
  return family('svc_cpu_usage', rows(0, 0.01)) + family('svc_memory_usage', rows(1, 10));
}

function numberAt(at: number, variant: number): number {
  return ((at * 7919) % 9973) + variant * 0.5 + 1;
}

function family(name: string, rows: readonly string[]): string {
  const lines = rows.map((row) => `${name}${row.replace('{} ', ' ')}\n`).join('');
  return `# HELP ${name} A family of the benchmark's upstream.\n# TYPE ${name} gauge\n${lines}`;
}
