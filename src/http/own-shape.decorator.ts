import { SetMetadata } from '@nestjs/common';

export const OWN_SHAPE = 'tidemark:own-shape';

/** A delivery that writes its answers itself, in the shape of its own protocol. */
export const OwnShape = () => SetMetadata(OWN_SHAPE, true);
