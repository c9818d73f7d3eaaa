import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';

const folder = join(import.meta.dirname, '../../examples/high-availability');
const service = z.object({ ports: z.array(z.string()).default([]), secrets: z.array(z.string()) });
const compose = z.object({ services: z.record(z.string(), service), secrets: z.record(z.string(), z.unknown()) });

it('the example for high availability has one configuration for two daemons, whose password is in a file', () => {
  const text = readFileSync(join(folder, 'graphwarden.yml'), 'utf8');
  expect(loadConfig(text, join(folder, 'graphwarden.yml'), {})).toMatchObject({ ok: true });
  const { services, secrets } = compose.parse(
    parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }),
  );
  expect(services['graphwarden-1']?.ports).toEqual(['127.0.0.1:9916:9916']);
  expect(services['graphwarden-2']?.ports).toEqual(['127.0.0.1:9917:9916']);
  expect(Object.keys(secrets)).toEqual(['postgres-password']);
  for (const one of Object.values(services)) expect(one.secrets).toEqual(['postgres-password']);
  expect(text).toContain('state_password_file: /run/secrets/postgres-password');
});
