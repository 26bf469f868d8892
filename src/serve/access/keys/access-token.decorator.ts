import { SetMetadata } from '@nestjs/common';

export const TAKES_ACCESS_TOKEN = 'tidemark:takes-access-token';

/** Accepts access tokens of the OpenID provider too, for clients that speak OAuth only. */
export const TakesAccessToken = () => SetMetadata(TAKES_ACCESS_TOKEN, true);
