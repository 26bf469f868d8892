import { Webhook } from 'standardwebhooks';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { NetworkPolicy } from '../../src/people/notifications/network-policy.js';
import { postWebhook, type WebhookLimits } from '../../src/people/notifications/post-webhook.js';
import { SecretBox } from '../../src/people/notifications/secret-box.js';
import { newWebhookSecret, signatureHeaders } from '../../src/people/notifications/webhook-signature.js';
import { freePort } from '../support/free-port.mjs';
import { openReceiver, type Receiver } from '../support/receiver.js';

const LIMITS: WebhookLimits = { policy: new NetworkPolicy(['127.0.0.1']), timeoutMs: 5_000 };

const post = (url: string, limits: Partial<WebhookLimits> = {}) =>
  postWebhook({ url, headers: { 'content-type': 'application/json' }, body: '{}' }, { ...LIMITS, ...limits });

const answering = (...addresses: string[]) => {
  const asked: string[] = [];
  const resolve = (host: string) => {
    asked.push(host);
    return Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
  };
  return { asked, resolve };
};

describe('A webhook', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  it('is delivered by any status of success', async () => {
    for (const status of [200, 202, 204]) {
      receiver.answers.push(status);
      expect(await post(receiver.url)).toEqual({ error: null, status });
    }
    expect(receiver.requests[0]?.body).toBe('{}');
  });

  it('fails by every other status, and follows no redirect', async () => {
    for (const status of [400, 404, 429, 500, 503]) {
      receiver.answers.push(status);
      expect(await post(receiver.url)).toEqual({ error: 'status', status });
    }
    receiver.answers.push(410);
    expect(await post(receiver.url)).toEqual({ error: 'gone', status: 410 });
    const target = await openReceiver();
    for (const status of [301, 302, 307, 308]) {
      receiver.answers.push((_request, response) => response.writeHead(status, { location: target.url }).end());
      expect(await post(receiver.url)).toEqual({ error: 'redirected', status });
    }
    expect(target.requests).toEqual([]);
    await target.close();
  });

  it('times out if the receiver does not answer, and if the name is not resolved', async () => {
    receiver.answers.push(() => undefined);
    expect(await post(receiver.url, { timeoutMs: 100 })).toEqual({ error: 'timeout' });
    const resolve = () => new Promise<never>(() => undefined);
    expect(await post('http://slow.example/', { timeoutMs: 100, resolve })).toEqual({ error: 'timeout' });
  });

  it('needs no more than the status: an endless body is cut off', async () => {
    const written = new Promise<number>((resolve) => {
      receiver.answers.push((request, response) => {
        response.writeHead(200);
        const chunk = 'x'.repeat(64 * 1024);
        const more = () => response.write(chunk) && setImmediate(more);
        response.on('drain', more).on('close', () => resolve(request.socket.bytesWritten));
        more();
      });
    });
    expect(await post(receiver.url)).toEqual({ error: null, status: 200 });
    // What the buffers of two sockets take, and no more.
    expect(await written).toBeLessThan(16 * 1024 * 1024);
  });

  it('names why a receiver cannot be reached', async () => {
    const port = await freePort();
    expect(await post(`http://127.0.0.1:${String(port)}/`)).toEqual({ error: 'unreachable' });
    expect(await post(receiver.url.replace('http:', 'https:'))).toEqual({ error: 'tls_failed' });
    const resolve = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
    expect(await post('http://nowhere.example/', { resolve })).toEqual({ error: 'host_unknown' });
    expect(await post('http://nowhere.example/', answering())).toEqual({ error: 'address_refused' });
  });

  it('is refused if any address of the host is not allowed', async () => {
    const url = `http://hooks.example:${String(receiver.port)}/`;
    for (const addresses of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254', '127.0.0.1']]) {
      expect(await post(url, answering(...addresses))).toEqual({ error: 'address_refused' });
    }
    expect(receiver.requests).toEqual([]);
  });

  it('connects to the addresses that it checked, whatever the name resolves to a moment later', async () => {
    // 127.0.0.1 is allowed and stands for a public address; 127.0.0.2 is private.
    const own = await openReceiver('127.0.0.2');
    const turns = ['127.0.0.1', '127.0.0.2'];
    let asked = 0;
    const resolve = () => Promise.resolve([{ address: turns[Math.min(asked++, 1)] ?? '', family: 4 }]);
    const url = `http://rebinding.example:${String(receiver.port)}/`;
    expect(await post(url, { resolve })).toEqual({ error: null, status: 204 });
    expect([asked, receiver.requests.length]).toEqual([1, 1]);
    expect(receiver.requests[0]?.headers.host).toBe(`rebinding.example:${String(receiver.port)}`);
    const next = `http://rebinding.example:${String(own.port)}/`;
    expect(await post(next, { resolve })).toEqual({ error: 'address_refused' });
    expect(own.requests).toEqual([]);
    await own.close();
  });
});

describe('The signature of a webhook', () => {
  it('is accepted by the reference library under each secret of a rotation, and not for another body', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const body = JSON.stringify({ type: 'alert.fired', name: '日本 “GDP”' });
    const headers = signatureHeaders('ntf_1', new Date(), body, secrets);
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(secrets[0] ?? '').verify(body, { ...headers, 'webhook-id': 'ntf_2' })).toThrow();
  });
});

describe('The secret of a webhook', () => {
  const one = { id: 'one', value: 'first pepper of tests' };
  const two = { id: 'two', value: 'second pepper of tests' };

  it('is encrypted for its own channel, and readable under every configured pepper', () => {
    const secret = newWebhookSecret();
    const sealed = new SecretBox(new Peppers([one])).seal(secret, 'chn_a');
    expect(sealed.toString('latin1')).not.toContain(secret);
    expect(new SecretBox(new Peppers([two, one])).open(sealed, 'chn_a')).toBe(secret);
    expect(new SecretBox(new Peppers([one])).open(sealed, 'chn_b')).toBeNull();
    expect(new SecretBox(new Peppers([two])).open(sealed, 'chn_a')).toBeNull();
    expect(new SecretBox(new Peppers([one])).open(Buffer.concat([sealed, Buffer.of(0)]), 'chn_a')).toBeNull();
  });
});
