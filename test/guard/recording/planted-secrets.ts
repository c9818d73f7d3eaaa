import type { Random } from '../../../src/kernel/system.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { entryOf, idAt } from '../observations.ts';

/** Something that only a user can have written. */
export interface Plant {
  readonly value: string;
  /** How it may stand somewhere: as it is, and encoded in the usual ways. */
  readonly forms: readonly string[];
}

/** An entry of a list with a {@link Plant} in it. */
export interface PlantedEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly plant: Plant;
}

const first = ['Aurelia', 'Bohumil', 'Chidinma', 'Dagmar', 'Eilidh', 'Fionn', 'Ghislaine', 'Hyacinth'];
const last = ['Quetzal', 'Rasmussen', 'Szabo', 'Thistlewood', 'Umarov', 'Vasquez', 'Wojcik', 'Xanthopoulos'];

type Kind = (serial: number, of: (all: readonly string[]) => string) => string;

const kinds: readonly Kind[] = [
  (serial, of) => `${of(first)} ${of(last)} ${serial}`,
  (serial, of) => `${of(first)}.${of(last)}${serial}@example.org`,
  (serial) => `+49 170 555${String(serial).padStart(5, '0')}`,
  (serial) => `DE89370400440532${String(serial).padStart(6, '0')}`,
  (serial, of) => `${of(last)}straße ${serial}, Königsfurt`,
  (serial, of) => `${of(first)}_${of(last)}_${serial}`,
];

function plantOf(serial: number, random: Random): Plant {
  const of = (all: readonly string[]): string => all[Math.floor(random.next() * all.length)] ?? '';
  const value = kinds[serial % kinds.length]?.(serial, of) ?? '';
  const encoded = encodeURIComponent(value);
  const hex = Array.from(new TextEncoder().encode(value), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return { value, forms: [value, encoded, encoded.toLowerCase(), value.replaceAll(' ', '+'), hex] };
}

type Planting = (plant: Plant, proper: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

const inUrl =
  (write: (plant: Plant) => string): Planting =>
  (plant, proper) => ({ ...proper, url: write(plant) });

const inField =
  (name: string, write: (plant: Plant) => unknown = ({ value }) => value): Planting =>
  (plant, proper) => ({ ...proper, [name]: write(plant) });

const form = ({ forms }: Plant, index: number): string => forms[index] ?? '';

/** All places where a value was ever seen, or might be. */
const plantings: readonly Planting[] = [
  inUrl((plant) => `/query/fraud/ring_scan?name=${form(plant, 1)}`),
  inUrl((plant) => `/query/fraud/ring_scan?name=${form(plant, 0)}`),
  inUrl((plant) => `/query/fraud/ring_scan?depth=4&name=${form(plant, 3)}&depth=5`),
  inUrl((plant) => `/query/fraud/ring_scan?name=${form(plant, 4)}`),
  inUrl((plant) => `/query/fraud/ring_scan?${form(plant, 1)}=1`),
  inUrl((plant) => `/query/fraud/ring_scan?name=%zz${form(plant, 0)}`),
  inUrl((plant) => `/query/fraud/ring_scan?#${form(plant, 2)}`),
  inUrl((plant) => `/query/fraud/ring_scan/${form(plant, 1)}`),
  inUrl((plant) => `/query/${form(plant, 1)}-/ring_scan`),
  inUrl((plant) => `/query/fraud/.${form(plant, 0)}?depth=4`),
  inUrl((plant) => `/${form(plant, 0)}`),
  inUrl((plant) => `/graph/fraud/vertices/Person/${form(plant, 1)}`),
  inUrl((plant) => `/gsqlserver/interpreted_query?name=${form(plant, 1)}`),
  inUrl((plant) => `http://${form(plant, 1)}@10.0.0.1/query/fraud/ring_scan`),
  inField('requestid'),
  inField('requestid', ({ value }) => `7.RESTPP_1_1.${value}.N`),
  inField('requestid', ({ value }) => [value]),
  inField('startTime'),
  inField('startTime', ({ value }) => `2026-09-21 14:13:20.000 ${value}`),
  inField('expirationTime'),
  inField('elapsedTime'),
  inField('elapsedTime', ({ value }) => ({ [value]: 1 })),
  inField('method'),
  inField('user'),
  inField('queryText', ({ value }) => `SELECT p FROM Person WHERE p.name == "${value}"`),
  inField('url', ({ value }) => ({ value })),
];

/** So many entries, each with something else planted somewhere else; the same for the same seed. */
export function plantedEntries(count: number, seed = 1): readonly PlantedEntry[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, serial) => {
    const plant = plantOf(serial, random);
    const planting = plantings[serial % plantings.length];
    const proper = entryOf({
      requestid: idAt(0, 100_000 + serial),
      expirationTime: '2026-09-21 18:13:20.000',
      elapsedTime: 60_000,
    });
    return { plant, entry: planting === undefined ? proper : planting(plant, proper) };
  });
}

/** The plants that a text gives away, in whatever form. */
export function givenAway(text: string, plants: readonly Plant[]): readonly string[] {
  const lower = text.toLowerCase();
  return plants.flatMap(({ forms }) =>
    [...new Set(forms.map((one) => one.toLowerCase()))].filter((one) => lower.includes(one)),
  );
}
