import { SetMetadata } from '@nestjs/common';

export const OWN = 'tidemark:own';

/** Answers hold what is the calling account's own: they are made for it alone and kept by nobody. */
export const Own = () => SetMetadata(OWN, true);
