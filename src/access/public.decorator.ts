import { applyDecorators, SetMetadata } from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';

export const PUBLIC = 'tidemark:open';

/** A route that needs no key, and so has no account to count for: the start page and the documentation. Everything else is guarded. */
export const Public = () => applyDecorators(SetMetadata(PUBLIC, true), SkipThrottle());
