import type { Clock, Millis } from '../kernel/time.ts';
import type { Api, PathForm } from './calls.ts';

/** What a probe of one form found: the server speaks it, does not, or cannot be understood at present. */
export type Sighting = 'here' | 'elsewhere' | 'unclear';

/** Asks the server one cheap call in `form`. */
export type Probe = (form: PathForm) => Promise<Sighting>;

/** Which path form the servers of a cluster speak, api by api; shared by its nodes. */
export interface PathForms {
  form(api: Api): PathForm;
  /** An answer in the present form was good. */
  confirm(api: Api): void;
  /** Whether a page that is no answer may come from asking in the wrong form. */
  isUnconfirmed(api: Api): boolean;
  /**
   * After «no such path»: finds out, at most once a minute, whether the server speaks the other form (it was
   * upgraded, or is asked for the first time). True when the form is now another than `used`.
   */
  reconsider(api: Api, used: PathForm, probe: Probe): Promise<boolean>;
}

const pause: Millis = 60_000;

/** Starts from the configured version, which fixes the form, or from `auto`: the 4.x form until a server denies it. */
export function createPathForms(serverVersion: string, clock: Clock): PathForms {
  const fixed = serverVersion === 'auto' ? undefined : formOf(serverVersion);
  const forms = new Map<Api, PathForm>();
  const confirmed = new Set<Api>();
  const notBefore = new Map<Api, number>();
  const probing = new Map<Api, Promise<void>>();
  const form = (api: Api): PathForm => fixed ?? forms.get(api) ?? 'current';

  async function lookAround(api: Api, probe: Probe): Promise<void> {
    const present = form(api);
    const other: PathForm = present === 'current' ? 'older' : 'current';
    const here = await probe(present);
    const there = here === 'elsewhere' ? await probe(other) : 'unclear';
    if (here === 'unclear' || (here === 'elsewhere' && there === 'unclear')) return;
    notBefore.set(api, clock.now().mono + pause);
    if (there === 'here') forms.set(api, other);
    confirmed.add(api);
  }

  return {
    form,
    confirm: (api) => confirmed.add(api),
    isUnconfirmed: (api) => fixed === undefined && !confirmed.has(api),
    async reconsider(api, used, probe) {
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

function formOf(serverVersion: string): PathForm {
  return Number(serverVersion.split('.', 1)[0]) >= 4 ? 'current' : 'older';
}
