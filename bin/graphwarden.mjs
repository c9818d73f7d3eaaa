#!/usr/bin/env node
import './check-node.mjs';
import { existsSync } from 'node:fs';

// A checkout runs its source, even after a build; the published package contains only the bundle.
const source = new URL('../src/main.ts', import.meta.url);
const bundle = new URL('../dist/graphwarden.mjs', import.meta.url);
await import((existsSync(source) ? source : bundle).href);
