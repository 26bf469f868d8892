import { exchange, type Exchange } from './exchange.js';

const HTML = 'text/html,application/xhtml+xml;q=0.9';

/** A browser without JavaScript: it keeps one cookie and submits the forms of the current page. */
export class Visitor {
  cookie = '';
  html = '';
  status = 0;
  headers: Exchange['headers'] = {};

  constructor(
    private readonly url: string,
    private readonly agent = 'Firefox',
  ) {}

  async open(path: string): Promise<this> {
    return this.take(await exchange(this.url, path, { headers: this.ownHeaders() }));
  }

  /** Submits a form with the token of the current page, and follows the redirect. */
  async send(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<this> {
    const [, form = ''] = /name="form" value="([^"]+)"/.exec(this.html) ?? [];
    const payload = new URLSearchParams({ form, ...fields }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    this.take(
      await exchange(this.url, path, {
        method: 'POST',
        payload,
        headers: { ...this.ownHeaders(), ...type, ...headers },
      }),
    );
    return this.status === 303 ? this.open(String(this.headers.location)) : this;
  }

  private ownHeaders() {
    return { accept: HTML, 'user-agent': this.agent, ...(this.cookie !== '' && { cookie: this.cookie }) };
  }

  private take({ status, headers, bytes }: Exchange): this {
    [this.status, this.headers, this.html] = [status, headers, bytes.toString()];
    const [cookie] = headers['set-cookie']?.[0]?.split(';') ?? [];
    if (cookie !== undefined) this.cookie = cookie;
    return this;
  }
}
