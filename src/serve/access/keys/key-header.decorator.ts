import { SetMetadata } from '@nestjs/common';

export const TAKES_KEY_HEADER = 'tidemark:takes-key-header';

/** Accepts the key as `x-api-key` too, for clients that cannot set `Authorization`. */
export const TakesKeyHeader = () => SetMetadata(TAKES_KEY_HEADER, true);
