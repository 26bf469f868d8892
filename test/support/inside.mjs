// What an answer must never hold: a stack, SQL, a driver's words, a path of the machine, a login of the database.
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
