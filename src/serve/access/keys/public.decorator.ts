import { applyDecorators, SetMetadata } from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';

export const PUBLIC = 'tidemark:open';

/**
 * Marks a route that needs no key and counts for no account: the start page, the documentation, pages for people. Every
 * other route is guarded.
 */
export const Public = () => applyDecorators(SetMetadata(PUBLIC, true), SkipThrottle());
