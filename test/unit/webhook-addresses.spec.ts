import { AccessError } from '../../src/serve/access/accounts/access-error.js';
import { NetworkPolicy } from '../../src/people/notifications/network-policy.js';
import { readWebhookUrl } from '../../src/people/notifications/webhook-url.js';

const PUBLIC = new NetworkPolicy([]);
const HTTPS = { isHttps: true, port: 443 };

const refusalOf = (url: string, policy = PUBLIC): string | null => {
  try {
    readWebhookUrl(url, policy);
    return null;
  } catch (error) {
    return error instanceof AccessError ? (error.refusal?.code ?? null) : String(error);
  }
};

describe('The network policy of webhooks', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '240.0.0.1',
    '168.63.129.16',
    '::',
    '::1',
    '::127.0.0.1',
    '::a9fe:a9fe',
    '::7f00:1',
    '4000::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    'localhost',
    '',
  ])('refuses %s, which is not a public address', (address) => {
    expect(PUBLIC.allows(address, HTTPS)).toBe(false);
  });

  it('allows public addresses over https, on the two usual ports only', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1']) {
      expect(PUBLIC.allows(address, HTTPS)).toBe(true);
      expect(PUBLIC.allows(address, { isHttps: true, port: 8443 })).toBe(true);
      for (const port of [22, 25, 80, 5432, 6379, 9200]) {
        expect(PUBLIC.allows(address, { isHttps: true, port })).toBe(false);
      }
      expect(PUBLIC.allows(address, { isHttps: false, port: 443 })).toBe(false);
    }
  });

  it('allows the operator’s networks, on any port and over plain http, in either notation, and no others', () => {
    const policy = new NetworkPolicy(['10.1.0.0/16', '192.168.7.7', 'fd12::/32']);
    const plain = { isHttps: false, port: 8080 };
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.168.7.7', 'fd12::9']) {
      expect([address, policy.allows(address, plain)]).toEqual([address, true]);
    }
    for (const address of ['10.2.0.1', '192.168.7.8', 'fd13::9', '127.0.0.1', '1.1.1.1']) {
      expect([address, policy.allows(address, plain)]).toEqual([address, false]);
    }
  });
});

describe('The URL of a webhook', () => {
  it('is stored as the URL standard writes it, without its fragment', () => {
    expect(readWebhookUrl(' HTTPS://Hooks.Example:443/a?b=c#d ', PUBLIC)).toBe('https://hooks.example/a?b=c');
    expect(refusalOf('https://hooks.example:8443/')).toBeNull();
  });

  it.each([
    '',
    'hooks.example',
    'http://hooks.example/',
    'ftp://hooks.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:secret@hooks.example/',
    'https://user@hooks.example/',
    `https://hooks.example/${'a'.repeat(500)}`,
  ])('is refused if it is no https URL of a bounded length without credentials: %s', (url) => {
    expect(refusalOf(url)).toBe('webhook_url_invalid');
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://10.0.0.1/',
    'https://1.1.1.1:22/',
    'https://[64:ff9b::127.0.0.1]/',
  ])('is refused for an address in any notation that is not public: %s', (url) => {
    expect(refusalOf(url)).toBe('webhook_url_refused');
  });

  it('may be plain http only where the operator allows networks', () => {
    const policy = new NetworkPolicy(['10.0.0.0/8']);
    expect(refusalOf('http://hooks.internal/', policy)).toBeNull();
    expect(refusalOf('http://10.0.0.1:8080/', policy)).toBeNull();
    expect(refusalOf('http://1.1.1.1/', policy)).toBe('webhook_url_refused');
  });
});
