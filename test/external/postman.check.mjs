import vm from 'node:vm';

/** Runs the Postman collection as Postman does: in its order, with its scripts, each request with the key. */
export const check = {
  name: 'postman',
  verifies: 'Every request of the Postman collection is answered with 200',
  needsService: true,
  async run({ service }) {
    const collection = await (await fetch(`${service.url}/docs/postman.json`)).json();
    const document = await (await fetch(`${service.url}/docs/openapi.json`)).json();
    const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
    // The service under test names the URL of a deployment.
    variables.set('baseUrl', service.url);
    variables.set('key', service.key);
    const filled = (text) => text.replaceAll(/\{\{(\w+)\}\}/g, (_match, name) => variables.get(name) ?? '');
    const run = (item, listen, body) => {
      const pm = {
        collectionVariables: { set: (name, value) => variables.set(name, value) },
        response: { json: () => body },
      };
      for (const { listen: when, script } of item.event)
        if (when === listen) vm.runInNewContext(script.exec.join('\n'), { pm });
    };
    const requests = collection.item.flatMap(({ item }) => item);
    const found = [];
    for (const item of requests) {
      run(item, 'prerequest');
      const url = new URL(filled(addressOf(item.request.url)));
      const [{ value }] = collection.auth.bearer;
      const response = await fetch(url, { headers: { authorization: `Bearer ${filled(value)}` } });
      const body = await response.json();
      if (response.status === 200) run(item, 'test', body);
      else found.push(`${item.name}: ${url.pathname}${url.search}: ${response.status} ${body.error?.detail}`);
    }
    const operations = Object.keys(document.paths).length;
    if (requests.length !== operations)
      found.push(`${requests.length} requests for ${operations} operations`);
    return { found, said: `${requests.length} of ${operations} operations` };
  },
};

function addressOf({ host, path, query, variable }) {
  const values = new Map(variable.map(({ key, value }) => [`:${key}`, value]));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return `${host.join('.')}/${path.map((one) => values.get(one) ?? one).join('/')}?${sent.join('&')}`;
}
