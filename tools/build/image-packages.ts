import { readFileSync, writeFileSync } from 'node:fs';

interface Root {
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Packages that build the program. All others are for its checks and tests, and are most of what would be downloaded. */
const builders = ['rolldown', 'vite'];

// The image is built before any package is installed, and its builder has a Node of its own.
for (const file of ['package.json', 'package-lock.json']) {
  const content: Root & { packages?: Record<string, Root> } = JSON.parse(readFileSync(file, 'utf8'));
  const root = content.packages?.[''] ?? content;
  const wanted = Object.entries(root.devDependencies ?? {}).filter(([name]) => builders.includes(name));
  root.devDependencies = Object.fromEntries(wanted);
  delete root.optionalDependencies;
  writeFileSync(file, JSON.stringify(content));
}
