import { applyDecorators, Controller, SetMetadata, type Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { ApiTags } from '@nestjs/swagger';
import type { Resource } from '../../responses/resource.js';

const RESOURCE = Symbol('Resource');

/** The controller of a resource: its routes begin with the path, and the OpenAPI document lists them under the tag. */
export const ResourceController = (resource: Resource) =>
  applyDecorators(Controller(resource.path), ApiTags(resource.tag), SetMetadata(RESOURCE, resource));

/** Every resource with a controller, in the order of their modules. */
export function resourcesOf(discovery: DiscoveryService): Resource[] {
  return discovery.getControllers().flatMap(({ metatype }) => {
    const declared = Reflect.getMetadata(RESOURCE, metatype as Type) as Resource | undefined;
    return declared === undefined ? [] : [declared];
  });
}
