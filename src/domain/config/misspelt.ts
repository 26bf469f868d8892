import { distance } from 'fastest-levenshtein';
import { ownMember } from '../names/own-member.js';
import { VARIABLES } from './config.js';

/** Shorter names resemble those of other programs: HOST and HOME, PORT and PATH. */
const SHORTEST = 7;

/**
 * Variables of the environment that the service does not read although their names resemble one of its own, which is
 * not set: one line each.
 */
export function misspelt(variables: Readonly<Record<string, string | undefined>>): string[] {
  const unset = VARIABLES.filter((name) => name.length >= SHORTEST && ownMember(variables, name) === undefined);
  return Object.keys(variables)
    .filter((name) => !VARIABLES.includes(name))
    .flatMap((name) => {
      const meant = unset.find((own) => distance(name.toUpperCase(), own) <= (own.length < 10 ? 1 : 2));
      return meant === undefined
        ? []
        : [`${name} is not a variable of Tidemark and is ignored: did you mean ${meant}?`];
    });
}
