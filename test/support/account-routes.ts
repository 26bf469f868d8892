import type { RequestMethod } from '@nestjs/common';
import { type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import type { TestServer } from './server.js';

/** The paths of the account page, from Nest's metadata: a new form or page is among them by itself. */
export function accountPaths({ server }: TestServer, method: RequestMethod): string[] {
  const controllers = server.app.get(DiscoveryService, { strict: false }).getControllers();
  const paths = controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type | null;
    if (controller === null) return [];
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
    if (!/^account(\/|$)/.test(base)) return [];
    const prototype = controller.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (handler === undefined || Reflect.getMetadata(METHOD_METADATA, handler) !== method) return [];
      const own = (Reflect.getMetadata(PATH_METADATA, handler) as string).replace(/^\/|\/$/g, '');
      return [`/${[base, own].filter(Boolean).join('/')}`];
    });
  });
  return [...new Set(paths)].sort();
}
