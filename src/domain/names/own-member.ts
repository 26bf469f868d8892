/**
 * The record's own member of this name. A name from outside may be one that every object inherits (`constructor`,
 * `toString`): the record has no such member.
 */
export function ownMember<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
