/** What `tidemark get` uses of the environment. */
export interface ClientSettings {
  /** Of the service, without a trailing slash. */
  readonly url: string;
  readonly key: string | null;
}

/** Reads TIDEMARK_URL and TIDEMARK_KEY. An empty variable counts as unset. */
export function readClientSettings(
  variables: Readonly<Record<string, string | undefined>>,
  given: { readonly url?: string; readonly key?: string } = {},
): ClientSettings {
  const setting = (text: string | undefined): string | null => {
    const trimmed = text?.trim() ?? '';
    return trimmed === '' ? null : trimmed;
  };
  const url = setting(given.url) ?? setting(variables['TIDEMARK_URL']) ?? 'http://127.0.0.1:3000';
  return { url: url.replace(/\/+$/, ''), key: setting(given.key) ?? setting(variables['TIDEMARK_KEY']) };
}
