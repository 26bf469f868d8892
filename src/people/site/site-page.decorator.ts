import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../serve/access/keys/public.decorator.js';
import { PageGuard } from './page.guard.js';

/**
 * Marks a controller of pages for people: no key, no plan, a limit per client address, and the first to be refused
 * under load. `page`: its pages show figures, which programs get from the API.
 */
export const SitePage = () => applyDecorators(Public(), ApiExcludeController(), UseGuards(PageGuard));
