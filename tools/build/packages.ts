import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { z } from 'zod';
import { loadCommand } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands/all.ts';
import { starterConfig } from '../../src/cli/commands/init.ts';
import { completionScript } from '../../src/cli/completion-scripts.ts';
import { manPage } from './man-page.ts';

/** Formats of packages. */
export const formats = ['deb', 'rpm'] as const;

/** Files that packages are built from. */
export interface PackageParts {
  readonly executable: string;
  /** Architecture of the executable, in the words of Node; that of this machine if omitted. */
  readonly arch?: string;
  /** Folder with the documents that `tools/build/release-documents.ts` writes. */
  readonly documents: string;
  readonly version: string;
  /** Whether to compress less, which is much faster. */
  readonly isQuick?: boolean;
}

const root = join(import.meta.dirname, '..', '..');
const scripts = join(import.meta.dirname, 'packages');
const packaging = join(root, 'examples', 'packaging');
const read = (path: string): string => readFileSync(path, 'utf8');
const manifest = z.object({ description: z.string(), license: z.string() });
const owner = { owner: 'root', group: 'graphwarden' };

/** Architectures in the names of Go, which nfpm translates for each format. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Libraries that Node requires, and the service manager, in the words of each format. */
export const dependencies = {
  deb: ['libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6', 'systemd'],
  rpm: ['libc.so.6(GLIBC_2.28)(64bit)', 'libgcc_s.so.1()(64bit)', 'libstdc++.so.6()(64bit)', 'systemd'],
};

/** Returns the unit of a package, which has the program and its manual at other places than the unit of the guide. */
export function packagedUnit(unit: string): string {
  return unit
    .replaceAll('/usr/local/bin/graphwarden', '/usr/bin/graphwarden')
    .replace(/^Documentation=.*$/m, 'Documentation=man:graphwarden(1)');
}

/** Script of an RPM package that creates the user before its files are unpacked, from the line that the package installs. */
export function createUserScript(sysusers: string): string {
  const line = sysusers.split('\n').find((one) => one.startsWith('u ')) ?? '';
  return `systemd-sysusers --replace=/usr/lib/sysusers.d/graphwarden.conf - << 'END'\n${line}\nEND\n`;
}

/** License of the Node that runs this, which is in the executable. */
export function nodeLicense(): string {
  const license = join(dirname(dirname(process.execPath)), 'LICENSE');
  if (!existsSync(license)) throw new Error(`${license}: no such file; build with a Node that comes with its license`);
  return license;
}

/** Builds packages in all formats with nfpm, into the folder `output`. */
export async function buildPackages(parts: PackageParts, nfpm: string, output: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'graphwarden-packages-'));
  try {
    await stage(parts, folder);
    mkdirSync(output, { recursive: true });
    writeFileSync(join(folder, 'nfpm.yaml'), stringify(settings(parts, folder)));
    for (const format of formats) {
      const args = ['package', '--config', join(folder, 'nfpm.yaml'), '--packager', format, '--target', output];
      execFileSync(nfpm, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the files of the packages that are made from others. */
async function stage({ documents, version }: PackageParts, folder: string): Promise<void> {
  const write = (name: string, text: string | Buffer): void => writeFileSync(join(folder, name), text);
  const loaded = await Promise.all(commands.map(loadCommand));
  const sysusers = read(join(packaging, 'graphwarden.sysusers'));
  write('graphwarden.service', packagedUnit(read(join(packaging, 'graphwarden.service'))));
  write('graphwarden.yml', starterConfig());
  write('graphwarden.1.gz', gzipSync(await manPage(version), { level: 9 }));
  write('graphwarden.sysusers', sysusers.replace(/^#.*\n/gm, ''));
  write('preinstall.sh', createUserScript(sysusers));
  for (const shell of ['bash', 'zsh', 'fish'] as const) write(`completion.${shell}`, completionScript(shell, loaded));
  const notices = [join(documents, 'THIRD-PARTY-NOTICES.txt'), nodeLicense()].map(read);
  write('THIRD-PARTY-NOTICES.gz', gzipSync(notices.join(`\n${'-'.repeat(80)}\n\nNode.js\n\n`), { level: 9 }));
  for (const name of ['dashboards', 'config'])
    cpSync(join(root, name), join(folder, 'share', name), { recursive: true });
}

/** Entry of a file of a package. */
function file(src: string, dst: string, mode = 0o644) {
  return { src, dst, file_info: { mode } };
}

/** Returns the configuration of nfpm. */
function settings(parts: PackageParts, folder: string) {
  const { executable, arch = process.arch, documents, version, isQuick = false } = parts;
  const staged = (name: string): string => join(folder, name);
  const zsh = { deb: '/usr/share/zsh/vendor-completions', rpm: '/usr/share/zsh/site-functions' };
  return {
    name: 'graphwarden',
    arch: architectures[arch],
    version,
    section: 'net',
    maintainer: 'graphwarden <https://github.com/graphwarden/graphwarden>',
    vendor: 'graphwarden',
    homepage: 'https://github.com/graphwarden/graphwarden',
    ...manifest.parse(JSON.parse(read(join(root, 'package.json')))),
    disable_globbing: true,
    contents: [
      file(resolve(executable), '/usr/bin/graphwarden', 0o755),
      file(staged('graphwarden.service'), '/usr/lib/systemd/system/graphwarden.service'),
      file(staged('graphwarden.sysusers'), '/usr/lib/sysusers.d/graphwarden.conf'),
      { dst: '/etc/graphwarden', type: 'dir', file_info: { mode: 0o750, ...owner } },
      {
        src: staged('graphwarden.yml'),
        dst: '/etc/graphwarden/graphwarden.yml',
        type: 'config|noreplace',
        file_info: { mode: 0o640, ...owner },
      },
      file(staged('graphwarden.1.gz'), '/usr/share/man/man1/graphwarden.1.gz'),
      file(staged('completion.bash'), '/usr/share/bash-completion/completions/graphwarden'),
      file(staged('completion.fish'), '/usr/share/fish/vendor_completions.d/graphwarden.fish'),
      ...formats.map((format) => ({
        ...file(staged('completion.zsh'), `${zsh[format]}/_graphwarden`),
        packager: format,
      })),
      { ...file(join(root, 'LICENSE'), '/usr/share/doc/graphwarden/copyright'), packager: 'deb' },
      { ...file(join(root, 'LICENSE'), '/usr/share/licenses/graphwarden/LICENSE'), type: 'license', packager: 'rpm' },
      file(staged('THIRD-PARTY-NOTICES.gz'), '/usr/share/doc/graphwarden/THIRD-PARTY-NOTICES.gz'),
      file(join(resolve(documents), 'graphwarden.cdx.json'), '/usr/share/doc/graphwarden/graphwarden.cdx.json'),
      { src: staged('share'), dst: '/usr/share/graphwarden', type: 'tree' },
    ],
    scripts: Object.fromEntries(
      ['postinstall', 'preremove', 'postremove'].map((name) => [name, join(scripts, `${name}.sh`)]),
    ),
    overrides: {
      deb: { depends: dependencies.deb },
      rpm: { depends: dependencies.rpm, scripts: { preinstall: staged('preinstall.sh') } },
    },
    deb: { compression: isQuick ? 'none' : 'gzip' },
    rpm: { compression: isQuick ? 'zstd:fastest' : 'zstd', buildhost: 'localhost' },
  };
}
