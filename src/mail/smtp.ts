import { createTransport } from 'nodemailer'
import { reasonOf } from '../errors.ts'
import { isOnThisMachine, type MailServer } from '../settings/mail.ts'
import { MailRefused, type MailTransport } from './mailer.ts'

/** Milliseconds (chosen): a mail server that is there answers sooner, and one that is not must not keep an ending server. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000, dnsTimeout: 5_000 } as const

/** Mail by SMTP, with a connection of its own for each attempt. */
export function openSmtp(server: MailServer, password: string | undefined): MailTransport {
  const { host, port, isTls, user, from } = server
  const isLocal = isOnThisMachine(server)
  const transport = createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: !isTls && !isLocal,
    ignoreTLS: isLocal,
    ...(user !== undefined && { auth: { user, pass: password } }),
    ...timeouts,
    // No text of a mail names a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async verify() {
      await transport.verify()
    },
    async send({ to, subject, text }) {
      try {
        // The address is given apart, so that nothing in it is read as another one.
        await transport.sendMail({
          from: { name: '', address: from },
          to: { name: '', address: to },
          envelope: { from, to: [to] },
          subject,
          text,
          // No person is away from a mailbox for a machine (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw isRefusedForGood(error) ? new MailRefused(reasonOf(error)) : error
      }
    },
  }
}

/** Whether the server refuses the address or the mail: not what fails before, such as signing in to it. */
function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command } = error as { readonly responseCode?: number; readonly command?: string }
  return responseCode !== undefined && responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command ?? '')
}
