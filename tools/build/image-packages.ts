import { readFileSync, writeFileSync } from 'node:fs';

interface Root {
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Packages that build the program. All others, which are most of the download, are for its checks and tests. */
const builders = ['rolldown', 'vite'];

// Runs when the image is built, before any package is installed.
for (const file of ['package.json', 'package-lock.json']) {
  const content: Root & { packages?: Record<string, Root> } = JSON.parse(readFileSync(file, 'utf8'));
  const root = content.packages?.[''] ?? content;
  const wanted = Object.entries(root.devDependencies ?? {}).filter(([name]) => builders.includes(name));
  root.devDependencies = Object.fromEntries(wanted);
  delete root.optionalDependencies;
  writeFileSync(file, JSON.stringify(content));
}
