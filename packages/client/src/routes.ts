import type { components, paths } from './api.js';

/** Every type that the OpenAPI document names: `Schemas['Change']`, `Schemas['Figure']`, … */
export type Schemas = components['schemas'];
export type Meta = Schemas['Meta'];
export type Source = Schemas['Source'];
export type Figure = Schemas['Figure'];

type Routes = { [P in keyof paths as P extends `/api/v1${infer Route}` ? Route : never]: paths[P]['get'] };

/** A path below `/api/v1`, as in the documentation: `/macro/{indicator}`. */
export type Route = keyof Routes;

type Segments<R extends Route> = Routes[R]['parameters'] extends { path: infer Path } ? Path : unknown;
type Query<R extends Route> = Routes[R]['parameters'] extends { query?: infer Q } ? NonNullable<Q> : unknown;

/** The names in the path and the query of a route, in one object. */
export type Parameters<R extends Route> = Segments<R> & Query<R>;

/** What a route returns: `data` and `meta`. */
export type Answer<R extends Route> = Routes[R]['responses'][200]['content']['application/json'];

/** The routes in pages. */
export type PagedRoute = { [R in Route]: 'cursor' extends keyof Query<R> ? R : never }[Route];

/** The routes in pages whose `data` is the list itself. */
export type ListRoute = { [R in PagedRoute]: Answer<R>['data'] extends readonly unknown[] ? R : never }[PagedRoute];

export type Item<R extends ListRoute> = Answer<R>['data'] extends readonly (infer One)[] ? One : never;
