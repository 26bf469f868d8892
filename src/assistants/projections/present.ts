/** The members of an object that have content: without null, undefined and empty lists. */
export function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value != null && !(Array.isArray(value) && value.length === 0)),
  ) as Present<Members>;
}

export type Present<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], null> };
