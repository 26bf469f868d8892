import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { DiscoveryService } from '@nestjs/core';
import { PUBLIC } from '../access/keys/public.decorator.js';
import { API_PREFIX } from '../responses/url-builder.service.js';
import { ownMember } from '../../domain/names/own-member.js';

export interface Route {
  /** As declared: `/api/v1/changes/:id`. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly controller: string;
  readonly handler: string;
}

/** Every GET route of the service, from Nest's metadata. */
export function routesOf(discovery: DiscoveryService): Route[] {
  return discovery.getControllers().flatMap(({ metatype }) => {
    const controller = metatype as Type | null;
    if (controller === null || Reflect.getMetadata(PUBLIC, controller) === true) return [];
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
    const prototype = controller.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((handler) => {
      const method = ownMember(prototype, handler);
      if (method === undefined || Reflect.getMetadata(METHOD_METADATA, method) !== RequestMethod.GET) return [];
      const own = Reflect.getMetadata(PATH_METADATA, method) as string;
      const path = [API_PREFIX, base, own].map((part) => part.replace(/^\/|\/$/g, '')).filter(Boolean);
      return [{ path: `/${path.join('/')}`, pattern: patternOf(path), controller: controller.name, handler }];
    });
  });
}

function patternOf(segments: readonly string[]): RegExp {
  const parts = segments.flatMap((segment) => segment.split('/'));
  return new RegExp(`^/${parts.map((part) => (part.startsWith(':') ? '[^/]+' : part)).join('/')}$`);
}
