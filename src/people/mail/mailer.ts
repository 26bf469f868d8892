import { createTransport } from 'nodemailer';

export interface TextMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends mails by SMTP; without a configured server, prints them on the terminal. */
export class Mailer {
  private readonly transport;

  /** @param say receives the lines of a mail if no server is configured */
  constructor(
    smtpUrl: string | null,
    private readonly from: string,
    private readonly say: (line: string) => void,
  ) {
    // A sign-up waits for its mail: a slow server must not delay it further.
    const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
    this.transport = smtpUrl === null ? null : createTransport({ url: smtpUrl, ...timeouts });
  }

  /** @throws if the mail server rejects the mail */
  async send({ to, subject, text, headers = {} }: TextMail): Promise<void> {
    if (this.transport === null) {
      for (const line of ['', `Mail to ${to}: ${subject}`, ...text.split('\n')]) this.say(`  ${line}`);
      return;
    }
    await this.transport.sendMail({
      from: this.from,
      to: { name: '', address: to },
      subject,
      text,
      headers,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}
