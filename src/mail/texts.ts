/** Texts of mails. Each says who sent it, for what, and what to do if it was not expected. */

import type { DraftReminder } from '../categories/drafts/end-operations.ts'
import type { MailedUser } from '../directory/user.ts'
import type { EndingSecret, Reminder } from '../oauth/apps/reminders.ts'
import type { Mail } from './mailer.ts'

/** Maximum length of an organization's name in a mail, in characters (chosen). */
const maxNameLength = 64

/** Conditions that operators are notified of by mail. */
export type MailedCondition =
  | 'backupFailed'
  | 'certificateEnds'
  | 'databaseUnreachable'
  | 'diskLow'
  | 'jobStalled'
  | 'replicaFailed'
  | 'secretEnds'

/** Account that a mail is about. */
interface Account extends MailedUser {
  /** Root of the server. */
  readonly publicUrl: string
}

/** Asked for on the page of sign-in. */
export function passwordLinkMail(account: Account, url: string): Mail {
  return {
    to: account.email,
    subject: `A new password for ${account.username}`,
    text: lines(
      `A new password was asked for, for the user ${account.username} of ${quote(account.organization)} at ${account.publicUrl}.`,
      '',
      'Choose it here, once and within an hour:',
      url,
      '',
      'The present password counts until then. If you did not ask for this, do nothing: without the link nothing changes.',
    ),
  }
}

/** For a person who was added to an organization without a password. */
export function invitationMail(account: Account, inviter: string, urls: { link: string; again: string }): Mail {
  return {
    to: account.email,
    subject: `You are a member of ${quote(account.organization)}`,
    text: lines(
      `${inviter} has added you to ${quote(account.organization)} at ${account.publicUrl}. Your username is ${account.username}.`,
      '',
      'Choose a password here, once and within an hour:',
      urls.link,
      '',
      'After that hour, have another link sent to you:',
      urls.again,
      '',
      'If you do not know who this is, do nothing: no one can sign in before a password is chosen.',
    ),
  }
}

/** To the address that was there before. */
export function emailChangedMail(account: Account): Mail {
  return {
    to: account.email,
    subject: `Mail for ${account.username} goes elsewhere`,
    text: lines(
      `The e-mail address of the user ${account.username} of ${quote(account.organization)} at ${account.publicUrl} was changed: links ` +
        'to a new password are sent to another one from now on.',
      '',
      'If neither you nor an administrator did that, ask an administrator of the organization to look at the account.',
    ),
  }
}

const meanings: Readonly<Record<MailedCondition, string>> = {
  backupFailed: 'The last backup of BACKUP_DIR failed.',
  certificateEnds: 'The certificate of the server ends within 14 days, or is not valid.',
  databaseUnreachable: 'The database does not answer, so that no request is answered but with 503.',
  diskLow: 'The disk of the database is nearly full: nothing is added any more until there is room.',
  jobStalled: 'A job has not come on for ten minutes; its log lines say why.',
  replicaFailed:
    'The search replica could not be filled; until it is, PostgreSQL answers searches, slowly if items are many.',
  secretEnds: 'The secret of an app ends within 30 days; then its program is refused.',
}

/** To an operator, when something begins to need a person, or no longer does. */
export function attentionMail(to: string, condition: MailedCondition, holds: boolean, publicUrl: string): Mail {
  const what = holds ? 'needs a person' : 'no longer needs a person'
  return {
    to,
    subject: `${new URL(publicUrl).host} ${what}: ${condition}`,
    text: lines(
      `The server at ${publicUrl} ${what}: ${condition}.`,
      '',
      holds
        ? `${meanings[condition]} What to do is in docs/monitor.md of the program, under "What needs a person"; the log of the server says more.`
        : 'Nothing has to be done.',
    ),
  }
}

/** Maximum number of apps or drafts that a mail names. */
const maxNamed = 20

/** To the owner of apps, or to an administrator. */
export function secretsEndMail({ to, secrets }: Reminder, publicUrl: string): Mail {
  const ofSecret = ({ title, clientId, organization, expiresAt }: EndingSecret) =>
    `${new Date(expiresAt).toISOString()}: the app ${quote(title)} (client id ${clientId}) of ${quote(organization)}`
  const more = secrets.length > maxNamed ? [`and ${secrets.length - maxNamed} more`] : []
  return {
    to,
    subject: `Secrets of apps end at ${new URL(publicUrl).host}`,
    text: lines(
      `These secrets of apps at ${publicUrl} end soon. After that, programs that use them are refused.`,
      '',
      ...secrets.slice(0, maxNamed).map(ofSecret),
      ...more,
      '',
      'Another one is made by renewSecret of the app, which its owner and administrators may call: both are valid until ' +
        'endFormerSecret, or until they end. The app says when and from where its secret was used.',
    ),
  }
}

/** To the person that a draft of a category schema is proposed to. */
export function proposalMail(to: MailedUser, name: string, by: string, publicUrl: string): Mail {
  const { email, organization } = to
  return {
    to: email,
    subject: `A draft of categories is proposed to you at ${new URL(publicUrl).host}`,
    text: lines(
      `${by} proposes the draft ${quote(name)} of a category schema of ${quote(organization)} to you. Publish it, or send it back:`,
      publicUrl,
    ),
  }
}

/** To who saved drafts of category schemas last. */
export function draftsEndMail({ to, drafts }: DraftReminder, publicUrl: string): Mail {
  const more = drafts.length > maxNamed ? [`and ${drafts.length - maxNamed} more`] : []
  return {
    to,
    subject: `Drafts end at ${new URL(publicUrl).host}`,
    text: lines(
      `These drafts of category schemas at ${publicUrl} were not touched for a long time, and are removed soon:`,
      '',
      ...drafts
        .slice(0, maxNamed)
        .map(({ name, of, endsAt }) => `${new Date(endsAt).toISOString()}: ${quote(name)} of ${quote(of)}`),
      ...more,
      '',
      'Save a draft that you need again, or publish it.',
    ),
  }
}

/** Test mail for operators. */
export function trialMail(to: string, publicUrl: string): Mail {
  return {
    to,
    subject: `Mail from ${new URL(publicUrl).host}`,
    text: lines(`The server at ${publicUrl} can send mail to this address.`),
  }
}

/** A name that people have given, in quotes and as a part of one line: it may be there to be taken for a sentence of this server. */
function quote(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}"“”]+/gu, ' ')
  return `"${[...plain].slice(0, maxNameLength).join('')}"`
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`
}
