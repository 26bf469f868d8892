import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { FORMS_STYLE } from '../pages/documentation-files.js';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Pages use nothing of the device. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/** The headers that limit what a browser does with a response. */
export function hardening(baseUrl: string): Middleware {
  const harden = policy(baseUrl);
  return (request, response, next) => {
    response.setHeader('permissions-policy', PERMISSIONS);
    harden(request, response, next);
  };
}

function policy(baseUrl: string): Middleware {
  return helmet({
    // Browsers ignore it over plain HTTP (RFC 6797); other hosts below the operator's domain are not ours to bind.
    strictTransportSecurity: baseUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: false },
    frameguard: { action: 'deny' },
    contentSecurityPolicy: {
      directives: {
        'upgrade-insecure-requests': null,
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        // The defaults allow fonts and styles of any host; ours are all local.
        'font-src': ["'self'", 'data:'],
        'style-src': ["'self'", hashSource(FORMS_STYLE)],
      },
    },
  });
}

/** The headers that a middleware sets, for responses that bypass it. */
export function headersSetBy(middleware: Middleware): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => undefined);
  return response.getHeaders() as Record<string, string>;
}

/** Allows one inline style, by its bytes. */
function hashSource(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}
