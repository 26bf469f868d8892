import type { FactoryProvider, InjectionToken } from '@nestjs/common';

/** A token with the type of what it provides. */
export type Token<T> = symbol & { readonly provides?: T };

type Provided<One> = One extends { readonly token: infer Of; readonly optional: true }
  ? Provided<Of> | null
  : One extends { readonly prototype: infer T }
    ? T
    : One extends Token<infer T>
      ? T
      : never;

/** A provider whose factory gets what `inject` names, with its types. */
export function provider<T, const Parts extends readonly unknown[]>(
  provide: InjectionToken,
  inject: Parts,
  useFactory: (...parts: { -readonly [At in keyof Parts]: Provided<Parts[At]> }) => T,
): FactoryProvider<T> {
  return { provide, inject: inject as unknown as InjectionToken[], useFactory };
}
