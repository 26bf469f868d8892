const HTML = 'text/html,application/xhtml+xml;q=0.9';
const MOST_REDIRECTS = 10;

/** A submitted form that its page's `form-action` forbids, redirects included, as Chrome reads it. */
export class ForbiddenFormError extends Error {}

/** A browser without JavaScript that walks across several sites, with the cookies of each. */
export class FormBrowser {
  url = '';
  html = '';
  status = 0;
  headers = new Headers();
  private readonly jars = new Map<string, Map<string, string>>();
  private static last = 0;

  /** @param address one of its own unless given, for services that trust the proxy of this machine */
  constructor(private readonly address = `198.51.100.${String((FormBrowser.last += 1) % 250)}`) {}

  /** @param stopAt a redirect to such a URL is not followed: `url` is then its target */
  async open(url: string, stopAt?: RegExp): Promise<this> {
    return this.walk(url, { method: 'GET' }, null, stopAt);
  }

  /** Submits the form of the page that leads to this path, with its hidden fields and these. */
  async submit(path: string, fields: Readonly<Record<string, string>> = {}, stopAt?: RegExp): Promise<this> {
    const form = this.formTo(path);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams({ ...form.fields, ...fields }).toString();
    const allowed = allowedBy(this.headers.get('content-security-policy'), this.url);
    return this.walk(form.action, { method: 'POST', headers, body }, allowed, stopAt);
  }

  cookieOf(url: string): string {
    return [...(this.jars.get(new URL(url).origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private formTo(path: string) {
    const forms = [...this.html.matchAll(/<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)];
    const found = forms
      .map(([, action = '', content = '']) => ({ action: new URL(unescaped(action), this.url), content }))
      .find(({ action }) => action.pathname === path || path === '');
    if (found === undefined) throw new Error(`${this.url} has no form to ${path}: ${this.html}`);
    const inputs = found.content.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g);
    const fields = Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]));
    return { action: found.action.href, fields };
  }

  private async walk(
    url: string,
    init: RequestInit,
    allowed: readonly string[] | null,
    stopAt?: RegExp,
  ): Promise<this> {
    let [target, sent] = [url, init];
    for (let count = 0; count < MOST_REDIRECTS; count += 1) {
      if (allowed !== null && !allowed.includes(new URL(target).origin)) {
        throw new ForbiddenFormError(`form-action forbids ${target}`);
      }
      const response = await this.request(target, sent);
      const location = response.headers.get('location');
      if (location === null) return this.show(target, response);
      await response.body?.cancel();
      target = new URL(location, target).href;
      sent = { method: 'GET' };
      if (stopAt?.test(target) === true) {
        this.url = target;
        return this;
      }
    }
    throw new Error(`${url} redirects without an end`);
  }

  private async request(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('accept', HTML);
    headers.set('x-forwarded-for', this.address);
    const cookie = this.cookieOf(url);
    if (cookie !== '') headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const { origin } = new URL(url);
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  private async show(url: string, response: Response): Promise<this> {
    [this.url, this.status, this.headers] = [url, response.status, response.headers];
    this.html = await response.text();
    return this;
  }
}

/** The origins to which forms of a page may lead; null without such a rule. */
function allowedBy(policy: string | null, url: string): string[] | null {
  const [, sources] = /form-action ([^;]+)/.exec(policy ?? '') ?? [];
  const own = new URL(url).origin;
  return sources?.split(' ').map((source) => (source === "'self'" ? own : source)) ?? null;
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
