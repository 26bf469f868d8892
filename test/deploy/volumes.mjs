// Compares the named volumes of compose with the folders of the image: an engine gives a new volume the owner of the
// image's folder at that place, and creates a missing folder, and thus the volume, as root.
import path from 'node:path';
import { readCopy } from './dockerfile.mjs';

/** Where the services of our own image mount named volumes. @returns {string[]} */
export function volumeTargets({ services }) {
  const ours = Object.values(services).filter(({ build }) => build !== undefined);
  const volumes = ours.flatMap((service) => service.volumes ?? []).filter(({ type }) => type === 'volume');
  return [...new Set(volumes.map(({ target }) => target))];
}

/**
 * Reads the Dockerfile alone, so that no build is necessary: the folders that `mkdir -p` creates in a stage and `COPY
 * --from --chown` puts into the image with its user as owner. `npm run check:image` inspects the folders themselves.
 * @param {ReturnType<import('./dockerfile.mjs').readDockerfile>} stages
 * @returns {Set<string>}
 */
export function foldersOfUser(stages) {
  const { steps } = stages.at(-1);
  const user = steps.findLast(({ verb }) => verb === 'USER')?.text;
  const copies = steps.filter(({ verb }) => verb === 'COPY').map(readCopy);
  const owned = copies
    .filter(({ from, chown }) => from !== undefined && chown === user)
    .flatMap(({ from, sources: [source], target }) =>
      madeFolders(stages.find(({ name }) => name === from))
        .filter((folder) => folder === source || folder.startsWith(`${source}/`))
        .map((folder) => path.posix.join(target, path.posix.relative(source, folder))),
    );
  return new Set(owned);
}

function madeFolders(stage) {
  let here = '/';
  const made = [];
  for (const { verb, text } of stage?.steps ?? []) {
    if (verb === 'WORKDIR') here = path.posix.resolve(here, text);
    if (verb !== 'RUN') continue;
    const words = text.split('&&').flatMap((part) => /^mkdir -p (.+)$/.exec(part.trim())?.[1].split(/\s+/) ?? []);
    made.push(...words.map((word) => path.posix.resolve(here, word)));
  }
  return made;
}
