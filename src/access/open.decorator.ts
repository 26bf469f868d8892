import { SetMetadata } from '@nestjs/common';

export const OPEN = 'tidemark:open';

/** A route that needs no key: the start page and the documentation. Everything else is guarded. */
export const Open = () => SetMetadata(OPEN, true);
