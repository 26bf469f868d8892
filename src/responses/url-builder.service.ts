import { Injectable } from '@nestjs/common';

export const API_PREFIX = '/api/v1';
export const BASE_URL = Symbol('BaseUrl');

/** Builds absolute URLs from the configured base, never from the Host header. */
@Injectable()
export class UrlBuilder {
  constructor(readonly base: string) {}

  of(...segments: string[]): string {
    return `${this.base}${API_PREFIX}/${segments.map(encodeURIComponent).join('/')}`;
  }
}
