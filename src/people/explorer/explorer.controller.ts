import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { KEY_ANYWHERE } from '../../serve/access/keys/key-text.js';
import { pageLocale } from '../site/page-locale.js';
import { AccountPage } from '../account/account-page.decorator.js';
import { AccountPages, type AccountModel } from '../account/account-pages.service.js';
import { field, parameter, type AccountRequest } from '../account/account-request.js';
import { Explorer, MOST_SHOWN, type ExplorerRoute } from './explorer.service.js';
import { OwnerGuard } from '../account/owner.guard.js';

const VIEW = 'account-try';

@UseGuards(OwnerGuard)
@AccountPage()
@Controller('account/try')
export class ExplorerController {
  constructor(
    private readonly explorer: Explorer,
    private readonly pages: AccountPages,
  ) {}

  @Get()
  form(@Req() request: AccountRequest, @Res() response: Response): void {
    const route = this.routeOf(parameter(request, 'route'));
    this.pages.show(request, response, VIEW, this.model(route, { locale: pageLocale(request) }));
  }

  /** The key serves this request only: neither the page nor the log contains it. */
  @Post()
  async send(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const route = this.routeOf(field(request, 'route'));
    if (route === null) {
      this.pages.show(request, response, VIEW, this.model(null, {}));
      return;
    }
    const values = Object.fromEntries(
      route.parameters.map(({ name }) => [name, field(request, `in_${name}`).trim()]),
    );
    const model = this.model(route, values);
    const { clientAddress } = request;
    const key = field(request, 'key').trim();
    const ask = () => this.explorer.ask({ route, values, key, clientAddress }, pageLocale(request));
    try {
      // The request to the API has a slot of its own.
      const answer = await (request.slot?.releaseWhile(ask) ?? ask());
      const shown = { ...answer, path: withoutKeys(answer.path) };
      this.pages.show(request, response, VIEW, { ...model, answer: shown });
    } catch (error) {
      this.pages.refuse(request, response, VIEW, error, model);
    }
  }

  private routeOf(id: string): ExplorerRoute | null {
    return this.explorer.routes().find((route) => route.id === id) ?? null;
  }

  private model(route: ExplorerRoute | null, values: Readonly<Record<string, string>>): AccountModel {
    const shown = Object.entries(values).map(([name, value]) => [name, withoutKeys(value)]);
    return {
      ...{ routes: this.explorer.routes(), chosen: route, values: Object.fromEntries(shown) as object },
      ...{ path: route === null ? '/account/try' : `/account/try?route=${route.id}` },
      ...{ answer: null, most: MOST_SHOWN, baseUrl: this.pages.baseUrl },
    };
  }
}

/** A key can be pasted into any field. */
const withoutKeys = (text: string): string => text.replaceAll(new RegExp(KEY_ANYWHERE, 'g'), '');
