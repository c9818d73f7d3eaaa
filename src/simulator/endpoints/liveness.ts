import type { Endpoint, EndpointCall } from '../call.ts';
import { json, jsonText, text } from '../replies.ts';
import { hexId } from '../seeded-random.ts';

/** `GET /api/ping`: answered by the GUI service, as real servers print it. */
export const ping: Endpoint = () => json({ error: false, message: 'pong', results: null });

/** `GET|POST /restpp/echo`, which may be asked to take its time; real servers put a blank after the comma. */
export async function echo({ query, clock, disconnected }: EndpointCall): Promise<ReturnType<typeof jsonText>> {
  const seconds = Number(query.get('sleep') ?? 0);
  if (seconds > 0) await clock.sleep(seconds * 1000, disconnected);
  return jsonText('{"error":false, "message":"Hello GSQL"}');
}

/** `GET /restpp/version`: a table in white space inside a JSON string, and `error` as text. */
export const restppVersion: Endpoint = ({ world }) =>
  json({
    error: 'false',
    message: `SimulatedGraph RESTPP: \n --- Version ---\n${componentTable(world.release.version)}\n`,
  });

/** `GET /gsql/v1/version`: plain text. */
export const gsqlVersion: Endpoint = ({ world, query }) => {
  const { version } = world.release;
  const copyright = query.has('verbose') ? 'This is a simulation by graphwarden.\n' : '';
  return text(
    `GSQL version: ${version}\nGSQL commit number: ${commit('gsql', version)}\nGSQL commit date: ${builtOn} 10:00:00 -0700\n${copyright}`,
  );
};

/** The components that the version table lists; `product` comes first. */
export const components = ['product', 'gpe', 'gse', 'restpp', 'gsql', 'ifm', 'ctrl', 'gui'] as const;

/** The commit that a component of a release claims to be built from. */
export function commit(component: string, version: string): string {
  return `${hexId(component, version)}${hexId(version, component).slice(0, 8)}`;
}

const builtOn = '2025-01-15';

function componentTable(version: string): string {
  const [, month, day] = builtOn.split('-');
  return components
    .map((name) => {
      const tag = `release_${version}_${month}-${day}-2025`;
      return `${name.padEnd(20)} ${tag}  ${commit(name, version)}  ${builtOn} 10:00:00 -0700`;
    })
    .join('\n');
}
