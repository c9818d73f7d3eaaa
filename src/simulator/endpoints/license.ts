import type { Endpoint } from '../call.ts';
import { json, restppError } from '../replies.ts';
import { plainDate } from '../timestamps.ts';

const day = 86_400_000;

/** `GET /restpp/showlicenseinfo`: keys with blanks; the form of the date is an assumed one. */
export const license: Endpoint = ({ world }) => {
  const left = world.licenseExpiresAt - world.now;
  if (left < 0) return restppError(400, 'REST-10020', 'The license is expired.');
  const results = [{ 'Expiration date': plainDate(world.licenseExpiresAt), 'Days remaining': Math.floor(left / day) }];
  return json({ error: false, message: 'License information of the simulation', results });
};
