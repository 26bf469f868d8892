// What a response must never contain: a stack trace, SQL, a driver's text, a path of the machine, a database login, and
// the text of a library's or the engine's error.
const INSIDE = [
  /node_modules/g,
  // A frame of a stack, not a figure with its base: at 315.605 (1982–84 = 100).
  /\bat (?:async )?(?!\d)[\w.$<>]+ \(/g,
  /\.[cm]?[jt]s:\d/g,
  /"stack"/g,
  // A statement, and not a fund with the word in its name.
  /\bSELECT\b(?=[^"]*\bFROM\b|\s+\w+\()/g,
  /syntax error/g,
  // JSON escapes the quote.
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
 * Internal text in a response, or null. A response may repeat its request, as sent or percent-decoded.
 * @param {string} text
 * @param {string} asked
 * @returns {string | null}
 */
export function insideOf(text, asked = '') {
  const known = `${asked}\n${decoded(asked)}`;
  const found = INSIDE.flatMap((pattern) => [...text.matchAll(pattern)].map(([part]) => part));
  return found.find((part) => !known.includes(part)) ?? null;
}

/** Decodes what can be decoded: one header with a bare percent sign must not hide the path beside it. */
function decoded(text) {
  return text.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}
