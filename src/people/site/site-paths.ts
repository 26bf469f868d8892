import { RequestMethod } from '@nestjs/common';

const READ = ['assets/:file'];

const ACCOUNT = ['account', 'account/{*page}'];

/** Paths of pages, which are outside the API's prefix. */
export const SITE_PATHS = [
  ...[...READ, ...ACCOUNT].map((path) => ({ path, method: RequestMethod.GET })),
  ...ACCOUNT.map((path) => ({ path, method: RequestMethod.POST })),
];
