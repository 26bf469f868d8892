import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  readonly to: string;
  readonly text: string;
  /** The header lines, as they were sent. */
  readonly head: string;
}

/** A real SMTP server that keeps the received mails. */
export interface Mailbox {
  readonly url: string;
  /** The newest mail, decoded. @param to only mails to this address */
  newest(to?: string): ReceivedMail;
  /** All mails to this address, oldest first. */
  all(to: string): readonly ReceivedMail[];
  readonly count: number;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join(',');
          const mail = Buffer.concat(chunks).toString();
          mails.push({ to, text: decoded(mail), head: mail.split('\r\n\r\n')[0] ?? '' });
          done();
        });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    newest: (to) => mails.findLast((mail) => to === undefined || mail.to === to) ?? { to: '', text: '', head: '' },
    all: (to) => mails.filter((mail) => mail.to === to),
    get count() {
      return mails.length;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Decodes quoted-printable or base64, whichever the body uses. */
function decoded(mail: string): string {
  const [head = '', ...rest] = mail.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/transfer-encoding: quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
