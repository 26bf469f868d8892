import { SetMetadata } from '@nestjs/common';

export const ACCOUNT_SCOPED = 'tidemark:own';

/** Marks a controller whose responses contain data of the calling account: no cache stores them. */
export const AccountScoped = () => SetMetadata(ACCOUNT_SCOPED, true);
