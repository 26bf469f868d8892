import { SetMetadata } from '@nestjs/common';

export const TAKES_KEY_HEADER = 'tidemark:takes-key-header';

/** A delivery whose clients cannot all set `Authorization`: the key may come as `x-api-key` too. */
export const TakesKeyHeader = () => SetMetadata(TAKES_KEY_HEADER, true);
