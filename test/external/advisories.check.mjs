import { runCommand } from './command.mjs';

const LEVELS = ['info', 'low', 'moderate', 'high', 'critical'];
/** Severities that fail for shipped packages; for development tools the check only reports them. */
const FAILS_FROM = LEVELS.indexOf('moderate');

/**
 * `npm audit`. Some registries hand out packages and do not answer this question: then nothing is known, which is
 * neither a pass nor a fault of the code. It is skipped by name; `ADVISORIES=required` makes it a failure.
 */
export const check = {
  name: 'advisories',
  verifies: 'No known vulnerability of moderate or higher severity is in a package that ships',
  async run() {
    const [shipped, all] = [await audit(['--omit=dev']), await audit([])];
    if (shipped.answer === null || all.answer === null) {
      const reason = `NOT JUDGED: the registry does not answer npm audit (${shipped.reason ?? all.reason})`;
      return process.env.ADVISORIES === 'required' ? { found: [reason] } : { skipped: reason };
    }
    const known = Object.values(shipped.answer.vulnerabilities);
    const grave = known.filter(({ severity }) => LEVELS.indexOf(severity) >= FAILS_FROM);
    const tools = Object.keys(all.answer.vulnerabilities).length - known.length;
    return {
      found: grave.map(({ name, severity, range }) => `${name} ${range}: ${severity}`),
      said: `${known.length} known in what ships, ${tools} in tools only`,
    };
  },
};

async function audit(args) {
  const { output, errors } = await runCommand('npm', ['audit', '--json', ...args]);
  const answer = parsed(output);
  if (answer?.vulnerabilities !== undefined) return { answer };
  // The error's text contains the registry's host, so only the status is printed.
  return { answer: null, reason: /\b[45]\d\d [A-Z][A-Za-z ]+/.exec(output + errors)?.[0].trim() ?? 'no answer' };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
