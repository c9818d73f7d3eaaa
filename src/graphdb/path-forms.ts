import type { Clock, Millis } from '../kernel/time.ts';
import type { Api, PathForm } from './calls.ts';

/** Result of a probe of one form: `here` means supported, `elsewhere` not supported, `unclear` unknown. */
export type PathProbeResult = 'here' | 'elsewhere' | 'unclear';

/** Sends one cheap request in `form`. */
export type PathProbe = (form: PathForm) => Promise<PathProbeResult>;

/** Path form that the servers of a cluster use, for each API; shared by its nodes. */
export interface PathForms {
  form(api: Api): PathForm;
  /** Records a successful reply in the current form. */
  confirm(api: Api): void;
  /** Returns whether an invalid page may be the result of the wrong form. */
  isUnconfirmed(api: Api): boolean;
  /**
   * After «no such path»: detects, at most once a minute, whether the server uses the other form (after an upgrade, or
   * at the first request). True if the form now differs from `used`.
   */
  redetect(api: Api, used: PathForm, probe: PathProbe): Promise<boolean>;
}

const probeInterval: Millis = 60_000;

/**
 * Starts with the form of the configured version, which is fixed, or with `auto`: the 4.x form until a server rejects
 * it.
 */
export function createPathForms(serverVersion: string, clock: Clock): PathForms {
  const fixed = serverVersion === 'auto' ? undefined : formOfVersion(serverVersion);
  const forms = new Map<Api, PathForm>();
  const confirmed = new Set<Api>();
  const notBefore = new Map<Api, number>();
  const probing = new Map<Api, Promise<void>>();
  const form = (api: Api): PathForm => fixed ?? forms.get(api) ?? 'current';

  async function lookAround(api: Api, probe: PathProbe): Promise<void> {
    const present = form(api);
    const other: PathForm = present === 'current' ? 'older' : 'current';
    const here = await probe(present);
    const there = here === 'elsewhere' ? await probe(other) : 'unclear';
    if (here === 'unclear' || (here === 'elsewhere' && there === 'unclear')) return;
    notBefore.set(api, clock.now().mono + probeInterval);
    if (there === 'here') forms.set(api, other);
    confirmed.add(api);
  }

  return {
    form,
    confirm: (api) => confirmed.add(api),
    isUnconfirmed: (api) => fixed === undefined && !confirmed.has(api),
    async redetect(api, used, probe) {
      if (fixed !== undefined || (api !== 'restpp' && api !== 'gsql')) return false;
      if (form(api) !== used) return true;
      if (!probing.has(api) && clock.now().mono < (notBefore.get(api) ?? Number.NEGATIVE_INFINITY)) return false;
      const running = probing.get(api) ?? lookAround(api, probe).finally(() => probing.delete(api));
      probing.set(api, running);
      await running;
      return form(api) !== used;
    },
  };
}

function formOfVersion(serverVersion: string): PathForm {
  return Number(serverVersion.split('.', 1)[0]) >= 4 ? 'current' : 'older';
}
