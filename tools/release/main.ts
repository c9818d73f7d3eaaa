import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildForAllMachines, buildForThisMachine, checksumFile, product, writeChecksums } from './artifacts.ts';
import { releaseNotes } from './changelog.ts';
import { startNpmRegistry, startOciRegistry } from './local-registries.ts';
import { publish } from './publish.ts';
import { localSigner, noSigner, type Signer, workflowSigner } from './signing.ts';

const folder = 'dist/release';
const usage = `usage: npm run release -- files      builds the files for this architecture into ${folder}, from the bundle in dist
       npm run release -- publish    builds the other files, and publishes all (in the release workflow only)
       npm run release -- --dry-run [--unsigned]
                                     does both with registries on this machine`;

const [step, option] = process.argv.slice(2);
if (step === 'files') await buildForThisMachine(folder);
else if (step === 'publish') publishRelease();
else if (step === '--dry-run' && (option ?? '--unsigned') === '--unsigned') await dryRun(option === undefined);
else throw new Error(usage);

function publishRelease(): void {
  const { GITHUB_REF_NAME: tag = '' } = process.env;
  if (tag !== `v${product.version}`) throw new Error(`the tag is '${tag}', but the version is ${product.version}`);
  writeFileSync('dist/release-notes.md', releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), product.version));
  buildForAllMachines(folder);
  writeChecksums(folder);
  publish(folder, {
    oci: 'ghcr.io/graphwarden',
    isPlainHttp: false,
    containerfile: 'Dockerfile',
    npmRegistry: [],
    npmOptions: ['--provenance', '--access', 'public'],
    signer: workflowSigner(),
  });
}

/** Performs the steps of a release. The image is empty, because the base images of the real one are in other registries. */
async function dryRun(isSigned: boolean): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'graphwarden-dry-run-'));
  const [npm, oci] = await Promise.all([startNpmRegistry(), startOciRegistry()]);
  try {
    rmSync(folder, { recursive: true, force: true });
    // The npm package comes first: npm builds the bundle, which the executable contains.
    buildForAllMachines(folder);
    await buildForThisMachine(folder);
    writeChecksums(folder);
    useOwnStorage(temporary);
    const containerfile = join(temporary, 'Containerfile');
    writeFileSync(containerfile, 'FROM scratch\nARG VERSION\nARG COMMIT\nCOPY LICENSE /\n');
    const signer = isSigned ? localSigner(temporary) : noSigner;
    publish(folder, {
      oci: `${oci.address}/graphwarden`,
      isPlainHttp: true,
      containerfile,
      npmRegistry: ['--registry', `http://${npm.address}/`],
      npmOptions: [`--//${npm.address}/:_authToken=dry-run`],
      signer,
    });
    if (isSigned) expectRefusal(signer);
    const signatures = isSigned ? 'with signatures' : 'without signatures';
    process.stdout.write(`the dry run has published and verified ${product.name} ${product.version}, ${signatures}\n`);
  } finally {
    await Promise.all([npm.stop(), oci.stop()]);
    rmSync(temporary, { recursive: true });
  }
}

/** Throws if the verification of a file succeeds that was changed after it was signed. */
function expectRefusal(signer: Signer): void {
  const file = join(folder, checksumFile);
  const signed = readFileSync(file);
  appendFileSync(file, '# changed\n');
  try {
    signer.verifyFile(file);
  } catch {
    return;
  } finally {
    writeFileSync(file, signed);
  }
  throw new Error(`${checksumFile} was changed, but its signature is accepted`);
}

/** Configures a temporary storage for buildah, which also works in containers. */
function useOwnStorage(place: string): void {
  const settings = join(place, 'storage.conf');
  const [images, state] = ['images', 'state'].map((name) => join(place, name));
  mkdirSync(place, { recursive: true });
  writeFileSync(settings, `[storage]\ndriver = "vfs"\ngraphroot = "${images}"\nrunroot = "${state}"\n`);
  Object.assign(process.env, { CONTAINERS_STORAGE_CONF: settings, BUILDAH_ISOLATION: 'chroot' });
}
