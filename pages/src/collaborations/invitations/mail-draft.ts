import { formatMoment } from '../../texts/formats.ts'
import { ofCollaborations as t } from '../../texts/rooms.ts'
import { formatMailAddress, shortenName } from './mail-address.ts'

export interface Invited {
  readonly collaborationName: string
  /** Epoch milliseconds. */
  readonly expiration: number
  /** Fingerprint of the own organization's key, in hex, which the guest compares. */
  readonly fingerprint: string
}

/** Address of a mail to the guest about the invitation file, which the person attaches, and how to compare the key. */
export function draftMail({ collaborationName, expiration, fingerprint }: Invited): string {
  return formatMailAddress(t('mail_subject', { name: shortenName(collaborationName) }), [
    t('mail_text', { at: formatMoment(expiration) }),
    t('mail_compare'),
    fingerprint,
    t('mail_answer'),
  ])
}
