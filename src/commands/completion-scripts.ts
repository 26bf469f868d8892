import type { CommandWords } from './terminal/command-words.js';

// Each script walks the words before the cursor down the tree of commands, and offers what can follow there.

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const commandsIn = (all: readonly CommandWords[]): string =>
  all
    .filter(({ at }) => at !== '')
    .map(({ at }) => quoted(at))
    .join('|');
const casesOf = (all: readonly CommandWords[], bodyOf: (one: CommandWords) => string): string =>
  all.map((one) => `    ${quoted(one.at)}) ${bodyOf(one)} ;;`).join('\n');
const valueCases = (all: readonly CommandWords[], bodyOf: (words: readonly string[]) => string): string =>
  all
    .flatMap(({ at, values }) =>
      values.map(({ option, words }) => `    ${quoted(`${at} ${option}`)}) ${bodyOf(words)} ;;`),
    )
    .join('\n');

function bash(all: readonly CommandWords[]): string {
  const wordsOf = (words: readonly string[]): string => `offered=${quoted(words.join(' '))}`;
  return `# bash completion of tidemark
_tidemark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at='' word offered=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${commandsIn(all)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${casesOf(all, ({ words }) => wordsOf(words.map(({ text }) => text)))}
  esac
  case "$at $before" in
${valueCases(all, wordsOf)}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _tidemark tidemark`;
}

function zsh(all: readonly CommandWords[]): string {
  const described = ({ words }: CommandWords): string => {
    const entries = words.map(({ text, description }) => quoted(`${text}:${description}`));
    return `offered=(${entries.join(' ')})`;
  };
  return `#compdef tidemark
_tidemark() {
  local at='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      (${commandsIn(all)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${casesOf(all, described)}
  esac
  case "$at $words[CURRENT-1]" in
${valueCases(all, (words) => `offered=(${words.map(quoted).join(' ')})`)}
  esac
  _describe tidemark offered || _files
}
compdef _tidemark tidemark`;
}

function fish(all: readonly CommandWords[]): string {
  const quotedForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const known = all.filter(({ at }) => at !== '').map(({ at }) => quotedForFish(at));
  const lines = all.flatMap(({ at, words, values, isOpen }) => [
    // Else fish mixes the files of the folder with the words.
    ...(isOpen ? [] : [`complete -c tidemark -n "__tidemark_at '${at}'" -f`]),
    ...words.map(({ text, description }) => {
      const offered = text.startsWith('--') ? `-l ${text.slice(2)}` : `-a ${quotedForFish(text)}`;
      return `complete -c tidemark -n "__tidemark_at '${at}'" ${offered} -d ${quotedForFish(description)}`;
    }),
    ...values.map(
      ({ option, words: choices }) =>
        `complete -c tidemark -n "__tidemark_at '${at}'" -l ${option.slice(2)} -x -a ${quotedForFish(choices.join(' '))}`,
    ),
  ]);
  return `# fish completion of tidemark
function __tidemark_at
  set -l at ''
  for word in (commandline -opc)[2..]
    set -l next (string trim "$at $word")
    contains -- $next ${known.join(' ')}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}

/** By shell; each is a whole script. */
export const COMPLETION_SCRIPTS = { bash, zsh, fish } as const;
