import { createTransport } from 'nodemailer';

export interface TextMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails by SMTP; where no server is configured, shows them on the terminal. */
export class Mailer {
  private readonly transport;

  /** @param say takes the lines of a mail that no server sends */
  constructor(
    smtpUrl: string | null,
    private readonly from: string,
    private readonly say: (line: string) => void,
  ) {
    // Sign-ups wait for their mail: a server that does not answer must not hold them.
    const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
    this.transport = smtpUrl === null ? null : createTransport({ url: smtpUrl, ...timeouts });
  }

  /** @throws where the server does not take the mail */
  async send({ to, subject, text }: TextMail): Promise<void> {
    if (this.transport === null) {
      for (const line of ['', `  Mail to ${to}: ${subject}`, ...text.split('\n')]) this.say(`  ${line}`);
      return;
    }
    await this.transport.sendMail({
      ...{ from: this.from, to: { name: '', address: to }, subject, text },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
  }
}
