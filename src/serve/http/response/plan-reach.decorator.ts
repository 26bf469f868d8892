import { SetMetadata, type Type } from '@nestjs/common';

const PLAN_REACH = Symbol('PlanReach');

/**
 * Marks a controller whose responses depend on the plan. All others get the reach of the smallest plan, so all plans
 * share their cached responses.
 */
export const PlanReach = () => SetMetadata(PLAN_REACH, true);

export function dependsOnPlan(controller: Type): boolean {
  return Reflect.getMetadata(PLAN_REACH, controller) === true;
}
