import { Injectable } from '@nestjs/common';

export const API_PREFIX = '/api/v1';

/** Absolute addresses of what the service serves: the configured base, never the Host header. */
@Injectable()
export class Addresses {
  constructor(readonly base: string) {}

  of(...segments: string[]): string {
    return `${this.base}${API_PREFIX}/${segments.map(encodeURIComponent).join('/')}`;
  }
}
