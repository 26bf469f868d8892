import type { IncomingMessage } from 'node:http';
import { addressKey, clientAddress, trustProxies } from '../../src/serve/limits/client-address.js';

describe('addressKey', () => {
  it.each([
    ['203.0.113.7', 'addr:203.0.113.7'],
    ['::ffff:203.0.113.7', 'addr:203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', 'addr:2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', 'addr:2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'addr:fe80::/64'],
    ['', 'addr:unknown'],
    ['unknown', 'addr:unknown'],
  ])('counts %s as %s', (address, subject) => {
    expect(addressKey(address)).toBe(subject);
  });

  it('distinguishes two networks of one provider', () => {
    expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'));
  });
});

function request(remoteAddress: string | undefined, forwardedFor?: string): IncomingMessage {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('clientAddress', () => {
  const trusted = trustProxies(['10.0.0.0/8', '2001:db8:ffff::/48']);

  it('ignores headers of an untrusted peer', () => {
    expect(clientAddress(request('203.0.113.7', '198.51.100.1'), trusted)).toBe('203.0.113.7');
    expect(clientAddress(request('10.1.1.1', '198.51.100.1'), trustProxies([]))).toBe('10.1.1.1');
  });

  it('returns the nearest hop that is not a trusted proxy', () => {
    const forwardedFor = '192.0.2.66, 198.51.100.1, 2001:db8:ffff::5';
    expect(clientAddress(request('10.1.1.1', forwardedFor), trusted)).toBe('198.51.100.1');
    expect(clientAddress(request('::ffff:10.1.1.1', forwardedFor), trusted)).toBe('198.51.100.1');
    expect(clientAddress(request('10.1.1.1'), trusted)).toBe('10.1.1.1');
  });

  it('believes only addresses', () => {
    expect(clientAddress(request('10.1.1.1', '198.51.100.1, unknown'), trusted)).toBe('10.1.1.1');
    expect(clientAddress(request('10.1.1.1', '1'), trusted)).toBe('10.1.1.1');
  });

  it('is empty on a Unix socket', () => {
    expect(addressKey(clientAddress(request(undefined, '198.51.100.1'), trusted))).toBe('addr:unknown');
  });

  it('refuses an invalid range', () => {
    expect(() => trustProxies(['10.0.0.0/99'])).toThrow(TypeError);
  });
});
