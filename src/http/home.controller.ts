import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Open } from '../access/open.decorator.js';
import { ERROR_CODES, type ErrorCode } from '../errors/errors.js';
import { ApiError } from '../errors/api-error.js';
import { Pages } from './pages.service.js';

/** What a person sees who opens the address in a browser: no key is needed here. */
@Open()
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly pages: Pages) {}

  @Get('/')
  @Header('content-type', 'text/html; charset=utf-8')
  home(): string {
    return this.pages.home();
  }

  @Get('docs/errors')
  @Header('content-type', 'text/html; charset=utf-8')
  errors(): string {
    return this.pages.errors();
  }

  @Get('docs/errors/:code')
  @Header('content-type', 'text/html; charset=utf-8')
  error(@Param('code') code: string): string {
    if (!(ERROR_CODES as string[]).includes(code)) throw new ApiError('not_found');
    return this.pages.error(code as ErrorCode);
  }
}
