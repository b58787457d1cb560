/** The settings of webhooks: whether they are sent, and which hosts may be reached besides public ones by https. */
import { isIP } from 'node:net'
import { type GivenSettings, readChoice, shown } from './given.ts'

export const webhookSettings = [
  {
    name: 'WEBHOOKS',
    default: 'off',
    meaning:
      'on: webhooks that have an address are sent. off: this server sends none; webhooks that programs fetch need no setting.',
  },
  {
    name: 'WEBHOOK_ALLOWED_HOSTS',
    default: '',
    meaning:
      'Hosts that webhooks may be sent to besides public ones by https, with commas between them: a name or an address, with a port or without one, by http, too, and wherever the name leads; or a range of private addresses, such as 10.0.0.0/8. Other addresses, such as those of this machine, have to be named one by one.',
  },
  {
    name: 'WEBHOOK_CA_FILE',
    default: '',
    meaning: 'File with certificates in PEM of further authorities, which receivers of webhooks may have theirs from.',
  },
] as const

type WebhookSetting = (typeof webhookSettings)[number]['name']

/** An entry of WEBHOOK_ALLOWED_HOSTS, with its text. */
export type AllowedHost = { readonly text: string } & (
  | { readonly kind: 'host'; readonly host: string; readonly port: number | undefined }
  | { readonly kind: 'range'; readonly address: string; readonly isSingle: boolean }
)

export interface WebhookSending {
  readonly isOn: boolean
  readonly allowedHosts: readonly AllowedHost[]
  /** File with certificates of further authorities. */
  readonly authorityFile: string | undefined
}

export function readWebhookSending(given: GivenSettings): WebhookSending {
  const entries = given.text('WEBHOOK_ALLOWED_HOSTS')?.split(',') ?? []
  return {
    isOn: readChoice(given, 'WEBHOOKS', ['off', 'on']) === 'on',
    allowedHosts: entries.flatMap((entry) => readAllowedHost(given, entry.trim()) ?? []),
    authorityFile: given.text('WEBHOOK_CA_FILE'),
  }
}

function readAllowedHost({ refuse }: GivenSettings, text: string): AllowedHost | undefined {
  const allowed = text.includes('/') ? parseRange(text) : parseHost(text)
  if (allowed) return allowed
  // A user and a password may stand before an at sign.
  const value = text.includes('@') ? 'an entry with @' : shown(text) || 'an empty entry'
  const rule = 'an entry is like hook.example.com, hook.example.com:8443, 192.168.1.20, [fd00::20]:8443 or 10.0.0.0/8'
  return refuse(`WEBHOOK_ALLOWED_HOSTS has ${value}; ${rule}.`)
}

function parseRange(text: string): AllowedHost | undefined {
  const [, address = '', prefix] = /^([\da-f:.]+)\/(\d{1,3})$/i.exec(text) ?? []
  const bits = isIP(address) === 4 ? 32 : 128
  if (isIP(address) === 0 || Number(prefix) > bits) return undefined
  return { kind: 'range', text, address, isSingle: Number(prefix) === bits }
}

function parseHost(text: string): AllowedHost | undefined {
  const [, name = '', digits] =
    /^(\[.+\]|[\p{L}\p{N}._-]+)(?::(\d{1,5}))?$/iu.exec(isIP(text) === 6 ? `[${text}]` : text) ?? []
  const port = digits === undefined ? undefined : Number(digits)
  if (!URL.canParse(`http://${name}`) || port === 0 || (port ?? 0) > 65_535) return undefined
  return { kind: 'host', text, host: canonicalHost(new URL(`http://${name}`).hostname), port }
}

/** Host of a URL as hosts are compared: in lower case, without brackets and without the dot at its end. */
export function canonicalHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')
}

/** The values as they would be set. */
export function formatWebhookSending(sending: WebhookSending): Readonly<Record<WebhookSetting, string>> {
  return {
    WEBHOOKS: sending.isOn ? 'on' : 'off',
    WEBHOOK_ALLOWED_HOSTS: sending.allowedHosts.map(({ text }) => text).join(','),
    WEBHOOK_CA_FILE: sending.authorityFile ?? '',
  }
}
