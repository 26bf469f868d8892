import { Controller, Get, Post } from '@nestjs/common';
import { KEY_ANYWHERE } from '../../serve/access/keys/key-text.js';
import { AccountPage, OnRefusal } from '../account/account-page.decorator.js';
import { Explorer, MOST_SHOWN, type ExplorerRoute } from './explorer.service.js';
import { type AccountModel, AccountExchange, Exchange } from '../account/account-exchange.js';

const VIEW = 'account-try';

@AccountPage()
@Controller('account/try')
export class ExplorerController {
  constructor(private readonly explorer: Explorer) {}

  @Get()
  form(@Exchange() page: AccountExchange): void {
    page.show(VIEW, this.model(page, this.routeOf(page.parameter('route')), { locale: page.locale }));
  }

  /** The key serves this request only: neither the page nor the log contains it. */
  @Post()
  @OnRefusal<ExplorerController>(VIEW, (self, page) => self.sentModel(page))
  async send(@Exchange() page: AccountExchange): Promise<void> {
    const route = this.routeOf(page.field('route'));
    const model = this.sentModel(page);
    if (route === null) {
      page.show(VIEW, model);
      return;
    }
    const values = valuesOf(route, page);
    const { clientAddress } = page.visitor;
    const key = page.field('key').trim();
    const ask = () => this.explorer.ask({ route, values, key, clientAddress }, page.locale);
    // The request to the API has a slot of its own.
    const answer = await (page.request.slot?.releaseWhile(ask) ?? ask());
    page.show(VIEW, { ...model, answer: { ...answer, path: withoutKeys(answer.path) } });
  }

  private routeOf(id: string): ExplorerRoute | null {
    return this.explorer.routes().find((route) => route.id === id) ?? null;
  }

  private sentModel(page: AccountExchange): AccountModel {
    const route = this.routeOf(page.field('route'));
    return this.model(page, route, route === null ? {} : valuesOf(route, page));
  }

  private model(
    { baseUrl }: AccountExchange,
    route: ExplorerRoute | null,
    values: Readonly<Record<string, string>>,
  ): AccountModel {
    const shown = Object.entries(values).map(([name, value]) => [name, withoutKeys(value)]);
    return {
      routes: this.explorer.routes(),
      chosen: route,
      values: Object.fromEntries(shown) as object,
      path: route === null ? '/account/try' : `/account/try?route=${route.id}`,
      answer: null,
      most: MOST_SHOWN,
      baseUrl,
    };
  }
}

const valuesOf = ({ parameters }: ExplorerRoute, page: AccountExchange): Record<string, string> =>
  Object.fromEntries(parameters.map(({ name }) => [name, page.field(`in_${name}`).trim()]));

/** A key can be pasted into any field. */
const withoutKeys = (text: string): string => text.replaceAll(new RegExp(KEY_ANYWHERE, 'g'), '');
