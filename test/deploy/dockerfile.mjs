// Reads a Dockerfile: only the part of the language that docker/Dockerfile uses, with an error for anything else.

const KNOWN = new Set([
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'EXPOSE',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
]);

/**
 * @param {string} text
 * @returns {{ name: string, base: string, steps: { verb: string, text: string, line: number }[] }[]} the stages, in order
 */
export function readDockerfile(text) {
  const stages = [];
  for (const { verb, text: rest, line } of instructions(text)) {
    if (!KNOWN.has(verb)) throw new Error(`line ${line}: ${verb} is not known to this reader`);
    if (verb === 'FROM') {
      const [, base, name = String(stages.length)] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      if (base === undefined) throw new Error(`line ${line}: FROM ${rest} is not understood`);
      stages.push({ name, base, steps: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`line ${line}: ${verb} stands before the first FROM`);
      stage.steps.push({ verb, text: rest, line });
    }
  }
  return stages;
}

function* instructions(text) {
  let begun = null;
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const continued = line.endsWith('\\');
    const part = continued ? line.slice(0, -1) : line;
    begun = begun === null ? { line: at + 1, text: part } : { ...begun, text: begun.text + part };
    if (continued) continue;
    const [, verb, rest] = /^(\S+)\s+(.*)$/.exec(begun.text.trim()) ?? [];
    if (verb === undefined) throw new Error(`line ${begun.line}: not an instruction`);
    yield { verb: verb.toUpperCase(), text: rest.trim(), line: begun.line };
    begun = null;
  }
}

/** COPY's flags, sources and target. */
export function readCopy({ text, line }) {
  const words = text.split(/\s+/);
  const flags = {};
  while (words[0]?.startsWith('--')) {
    const [, name, value] = /^--(from|chown)=(\S+)$/.exec(words.shift()) ?? [];
    if (name === undefined) throw new Error(`line ${line}: a flag of COPY that this reader does not know`);
    flags[name] = value;
  }
  const target = words.pop();
  if (words.length === 0 || /[*?[]/.test(text)) {
    throw new Error(`line ${line}: COPY wants sources without wildcards and a target`);
  }
  return { ...flags, sources: words, target };
}

/** `A=b C=d`, without quotes or references. */
export function readEnv({ text, line }) {
  if (/["'$\\]/.test(text)) throw new Error(`line ${line}: ENV with quotes or references is not read`);
  return Object.fromEntries(text.split(/\s+/).map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]));
}

/** The exec form of a command: a JSON array of words. */
export function readWords({ text, line }) {
  try {
    const words = JSON.parse(text);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  } catch {
    // Reported below, with the line.
  }
  throw new Error(`line ${line}: only the exec form (["a", "b"]) is read: there is no shell in the image`);
}
