// What v1 forbids, as a comparison of two OpenAPI documents: nothing that a client may rely on is removed, renamed or
// retyped, and no request that was valid becomes invalid. Additions are allowed.

type Node = Readonly<Record<string, unknown>>;

interface Side {
  readonly document: Node;
  readonly node: Node;
}

const node = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const names = (value: unknown): string[] => Object.keys(node(value));
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @returns one sentence a break, with the place in the document */
export function breakingChanges(before: unknown, after: unknown): string[] {
  const [old, young] = [node(before), node(after)];
  const schemas = (document: Node): Node => node(node(document['components'])['schemas']);
  return [
    ...names(old['paths']).flatMap((path) =>
      names(node(old['paths'])[path]).flatMap((method) => {
        const at = `${method.toUpperCase()} ${path}`;
        const operation = node(node(node(old['paths'])[path])[method]);
        const now = node(node(young['paths'])[path])[method];
        if (now === undefined) return [`${at} is removed`];
        return operationBreaks(at, side(old, operation), side(young, node(now)));
      }),
    ),
    ...names(schemas(old)).flatMap((name) => {
      const now = schemas(young)[name];
      return now === undefined
        ? [`schema ${name} is removed`]
        : responseBreaks(name, node(schemas(old)[name]), node(now));
    }),
  ];
}

const side = (document: Node, value: Node): Side => ({ document, node: value });

function operationBreaks(at: string, old: Side, young: Side): string[] {
  const [before, after] = [old.node, young.node];
  return [
    ...(before['operationId'] === after['operationId'] ? [] : [`${at} is renamed to ${String(after['operationId'])}`]),
    ...parameterBreaks(at, list(before['parameters']).map(node), list(after['parameters']).map(node)),
    ...names(before['responses']).flatMap((status) => {
      const now = node(after['responses'])[status];
      if (now === undefined) return [`${at}: response ${status} is removed`];
      const [was, is] = [resolved(old, node(before['responses'])[status]), resolved(young, now)];
      return [
        ...names(was['headers'])
          .filter((name) => node(is['headers'])[name] === undefined)
          .map((name) => `${at}: header ${name} of ${status} is removed`),
        ...names(was['content']).flatMap((type) => {
          const [one, other] = [was, is].map((response) => node(node(response['content'])[type])['schema']);
          return other === undefined
            ? [`${at}: ${type} of ${status} is removed`]
            : responseBreaks(`${at} ${status}`, node(one), node(other));
        }),
      ];
    }),
  ];
}

function resolved({ document }: Side, value: unknown): Node {
  const reference = node(value)['$ref'];
  if (typeof reference !== 'string') return node(value);
  return reference
    .split('/')
    .slice(1)
    .reduce((inside, name) => node(inside[name]), document);
}

function parameterBreaks(at: string, before: readonly Node[], after: readonly Node[]): string[] {
  const key = (one: Node): string => `${String(one['in'])} ${String(one['name'])}`;
  const known = new Map(before.map((one) => [key(one), one]));
  const current = new Map(after.map((one) => [key(one), one]));
  const added = after
    .filter((one) => one['required'] === true && known.get(key(one))?.['required'] !== true)
    .map((one) => `${at}: parameter ${String(one['name'])} is required`);
  return before
    .flatMap((one) => {
      const name = `${at}: parameter ${String(one['name'])}`;
      const now = current.get(key(one));
      return now === undefined ? [`${name} is removed`] : requestBreaks(name, node(one['schema']), node(now['schema']));
    })
    .concat(added);
}

/** Bounds by the direction in which they may move without refusing what was accepted. */
const BOUNDS = { minimum: -1, minLength: -1, maximum: 1, maxLength: 1 } as const;

/** A parameter may accept more, and not less; what it means when it is left out stays. */
function requestBreaks(at: string, before: Node, after: Node): string[] {
  const narrowed = Object.entries(BOUNDS).filter(([bound, direction]) => {
    const [was, is] = [before[bound], after[bound]];
    if (is === undefined) return false;
    return was === undefined || (Number(is) - Number(was)) * direction < 0;
  });
  const values = list(before['enum']).filter((value) => !list(after['enum']).includes(value));
  return [
    ...narrowed.map(([bound]) => `${at} accepts less: ${bound} ${String(after[bound])}`),
    ...(after['enum'] === undefined ? [] : values.map((value) => `${at} refuses ${String(value)}`)),
    ...(before['enum'] === undefined && after['enum'] !== undefined ? [`${at} accepts only a closed set`] : []),
    ...['type', 'format', 'default', 'pattern']
      .filter((keyword) => !same(before[keyword], after[keyword]))
      .map((keyword) => `${at} has another ${keyword}`),
  ];
}

/** Keywords of a response schema that a generated type depends on. */
const TYPING = ['$ref', 'type', 'format', 'const', 'enum', 'discriminator'] as const;

/** Every value that the service may send must have had a place in the type before, and keep it. */
function responseBreaks(at: string, before: Node, after: Node): string[] {
  const [was, is] = [list(before['x-extensible-enum']), list(after['x-extensible-enum'])];
  const required = list(before['required']).filter((name) => !list(after['required']).includes(name));
  const within = (name: string, inner: unknown, now: unknown): string[] =>
    inner === undefined && now === undefined ? [] : responseBreaks(name, node(inner), node(now));
  return [
    ...TYPING.filter((keyword) => !same(before[keyword], after[keyword])).map(
      (keyword) => `${at} is retyped: ${keyword}`,
    ),
    ...was.filter((value) => !is.includes(value)).map((value) => `${at} no longer has ${String(value)}`),
    ...required.map((name) => `${at}.${String(name)} may be missing`),
    ...names(before['properties']).flatMap((name) => {
      const now = node(after['properties'])[name];
      const inner = node(before['properties'])[name];
      return now === undefined ? [`${at}.${name} is removed`] : within(`${at}.${name}`, inner, now);
    }),
    ...within(`${at}[]`, before['items'], after['items']),
    ...within(`${at}{}`, before['additionalProperties'], after['additionalProperties']),
    ...(['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) => {
      const [one, other] = [list(before[keyword]), list(after[keyword])];
      return one.length === other.length
        ? one.flatMap((choice, index) => within(`${at} ${keyword} ${index}`, choice, other[index]))
        : [`${at} is retyped: ${keyword}`];
    }),
  ];
}
