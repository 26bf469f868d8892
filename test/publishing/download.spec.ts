import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { download } from '../../src/publish/downloads/download.js';
import { fetchBy, type FetchPlan } from '../../src/publish/downloads/fetch-plan.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { quietly } from './price-files.js';

const LIMITS = { tries: 2, timeoutMs: 5_000, maxBytes: 10_000 };
const WAITING = { sleep: () => Promise.resolve(), random: () => 0.5 };

describe('A download', () => {
  const files = useScratchFiles();
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const fetched = (url: string): Promise<string> =>
    download(url, LIMITS, WAITING, new AbortController().signal, (body) => Promise.resolve(body.toString()));

  it('never follows a redirect to another host, and sends it no request', async () => {
    let asked = 0;
    const inside = await serve((_, response) => {
      asked += 1;
      response.end('what is inside');
    });
    const publisher = await serve((_, response) => response.writeHead(302, { location: `${inside}/latest` }).end());
    await expect(fetched(`${publisher}/data`)).rejects.toThrow('sends to another host');
    expect(asked).toBe(0);
  });

  it('never follows a redirect to a local file', async () => {
    const publisher = await serve((_, response) => response.writeHead(301, { location: 'file:///etc/hostname' }).end());
    await expect(fetched(publisher)).rejects.toThrow('sends to another host');
  });

  it('follows a redirect within its host, up to a limit', async () => {
    const publisher = await serve((request, response) => {
      if (request.url === '/moved') response.end('figures');
      else if (request.url === '/old') response.writeHead(301, { location: '/moved' }).end();
      else response.writeHead(302, { location: '/round' }).end();
    });
    expect(await fetched(`${publisher}/old`)).toBe('figures');
    await expect(fetched(`${publisher}/round`)).rejects.toThrow('from one address to the next');
  });

  it('shows no secret of the URL in its errors', async () => {
    const publisher = await serve((_, response) =>
      response.writeHead(302, { location: 'http://198.51.100.1/?code=also-secret' }).end(),
    );
    const fetch = fetchBy({ base: publisher, waiting: WAITING }, function* (_, { base }): FetchPlan<true> {
      yield {
        url: `${base}/?format=json`,
        secret: { name: 'code', value: 'secret' },
        file: 'page.json',
        accept: (body) => ({ result: true, content: body }),
        progress: () => ({ what: 'a page', left: 0 }),
      };
    });
    const asked = fetch(quietly(files.folder()));
    await expect(asked).rejects.toThrow(/^(?!.*secret).*another host/);
  });
});
