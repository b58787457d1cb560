/** One text to one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Result of a mail: taken by the server, refused for good, or given up after the last attempt. */
export type MailResult = 'sent' | 'refused' | 'failed'

/** A mail server, asked once for each attempt. */
export interface MailTransport {
  /** Signs in and sends nothing; throws what is wrong. */
  verify(): Promise<void>
  /** Throws `MailRefused` where another attempt would be refused as well, else any error. */
  send(mail: Mail): Promise<void>
}

/** The server refuses this mail for good: it knows no such address, say. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Sends mail beside requests: no answer waits for a mail server. */
export interface Mailer {
  /** Takes it for sending; a mail to what is no address is refused. `onSettled` gets what became of it, if this process lives on. */
  send(mail: Mail, onSettled?: (result: MailResult) => void): void
  /** Whether the mail server cannot be used: within the last hour it took none of what was given up, or refused several in a row. */
  hasFailed(): boolean
  /** Has every mail reported that is settled, or has to be tried again. */
  watch(report: (report: MailReport) => void): void
  /** Gives what waits one more attempt, within five seconds. What is left then is lost, and reported. */
  end(): Promise<void>
}

/** Report to the operator; never has the text of a mail, as links are secrets. */
export interface MailReport {
  readonly result: MailResult | 'tried'
  readonly to: string
  readonly subject: string
  readonly cause?: string
}

/** Milliseconds for the last attempts of a server that ends (chosen). */
export const endTimeout = 5_000

/** Milliseconds for which a mail that was given up says that the mail server cannot be used (chosen). */
export const failureMilliseconds = 60 * 60_000

/**
 * Milliseconds before each further attempt (chosen): servers that refuse who they see for the first time ask for some minutes, and
 * a link to a new password is worth nothing after an hour.
 */
export const retryIntervals = [60_000, 5 * 60_000, 15 * 60_000] as const

/** Mails in a row that are refused for good, from which the fault is thought to be the server's, and not the addresses' (chosen). */
export const maxRefusals = 3

/** Maximum number of mails that wait for one address (chosen), so that no mailbox is filled by one fault. */
export const maxWaitingPerAddress = 10

/** Maximum number of mails that wait (chosen): a mail server that is gone must not fill the memory. */
export const maxWaiting = 1_000
