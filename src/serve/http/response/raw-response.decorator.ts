import { SetMetadata } from '@nestjs/common';

export const RAW_RESPONSE = 'tidemark:own-shape';

/** Marks a controller that writes its own responses, in the format of another protocol. */
export const RawResponse = () => SetMetadata(RAW_RESPONSE, true);
