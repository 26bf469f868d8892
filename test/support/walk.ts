import type { Body, TestServer } from './server.js';

/** The URLs of a paged list, one per page, by `meta.page.nextCursor`. */
export async function* pagesOf<Data>(service: TestServer, path: string, key?: string): AsyncGenerator<Body<Data>> {
  let cursor: string | null = null;
  do {
    const joint = path.includes('?') ? '&' : '?';
    const { status, body }: { status: number; body: Body<Data> } = await service.get<Data>(
      cursor === null ? path : `${path}${joint}cursor=${cursor}`,
      key,
    );
    if (status !== 200) throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(body.error)}`);
    yield body;
    cursor = body.meta.page?.nextCursor ?? null;
  } while (cursor !== null);
}

/** Every item of a list whose `data` is the array itself. */
export async function walk<Item>(service: TestServer, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { data } of pagesOf<Item[]>(service, path)) items.push(...data);
  return items;
}
