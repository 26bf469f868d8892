// What an answer must never hold: a stack, SQL, a driver's words, a path of the machine, a login of the database, and
// what a library or the engine says of a fault.
const INSIDE = [
  /node_modules/g,
  /\bat (?:async )?[\w.$<>]+ \(/g,
  /\.[cm]?[jt]s:\d/g,
  /"stack"/g,
  /\bSELECT\b/g,
  /syntax error/g,
  // Within JSON the quote is escaped.
  /relation \\?"/g,
  /postgres/gi,
  /\bpg_catalog\b/g,
  /\btidemark_(?:owner|import|api)\b/g,
  /\bE(?:CONN\w*|NOENT|PIPE|ACCES)\b/g,
  /\/(?:etc|home|root|tmp|usr|var|work)\//g,
  /\b(?:Range|Type|Syntax|Reference|URI|Zod|Query)Error\b/g,
  /\b(?:unrecognized_keys|invalid_type|invalid_union|invalid_format|invalid_value|too_small|too_big)\b/g,
  /Invalid input: expected/g,
  /Maximum call stack/g,
  /Unexpected (?:token|end of JSON|non-whitespace)/g,
  /is not valid JSON/g,
  /Internal server error/gi,
  /Cannot (?:GET|POST|PUT|DELETE|read propert)/g,
];

/**
 * What an answer gives away of the inside, or null. What was asked, as it was sent or percent-decoded, may stand in its
 * answer.
 * @param {string} text
 * @param {string} asked
 * @returns {string | null}
 */
export function insideOf(text, asked = '') {
  const known = `${asked}\n${decoded(asked)}`;
  const found = INSIDE.flatMap((pattern) => [...text.matchAll(pattern)].map(([part]) => part));
  return found.find((part) => !known.includes(part)) ?? null;
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
