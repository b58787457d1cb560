/** The settings of mail: the operator's SMTP server, and who is notified of what needs a person. */
import { isMailAddress } from '../directory/user.ts'
import { isLoopback } from './addresses.ts'
import { type GivenSettings, shown } from './given.ts'
import type { GivenSecret } from './secret.ts'

export const mailSettings = [
  {
    name: 'MAIL_SERVER',
    default: '',
    meaning:
      'SMTP server that takes mail, such as smtps://user@mail.example.com or smtp://mail.example.com:25. smtps is TLS from the first byte, on port 465 unless it is given; smtp begins it by STARTTLS, on port 587, which has to be offered unless the server is on this machine. Without it no mail is sent, and the settings below have no place.',
  },
  {
    name: 'MAIL_PASSWORD',
    default: '',
    meaning: 'Password of the user in MAIL_SERVER.',
    isSecret: true,
  },
  { name: 'MAIL_PASSWORD_FILE', default: '', meaning: 'File with that password. Not together with MAIL_PASSWORD.' },
  { name: 'MAIL_FROM', default: '', meaning: 'Address that mail is from, such as maps@example.com.' },
  {
    name: 'MAIL_OPERATORS',
    default: '',
    meaning:
      'Addresses of operators, with commas between them, who are notified of what needs attention: a failed backup, a full disk, a certificate or a secret of an app that ends, a database that does not answer. Without it, only log, metrics and pages show it.',
  },
] as const

type MailSetting = (typeof mailSettings)[number]['name']

export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether TLS is spoken from the first byte. */
  readonly isTls: boolean
  readonly user: string | undefined
  /** Undefined where no user is named. */
  readonly password: GivenSecret | undefined
  readonly from: string
  readonly operators: readonly string[]
}

const ports = { 'smtp:': 587, 'smtps:': 465 } as const

/** The mail server; undefined where none is set, or its settings are refused. */
export function readMailServer(given: GivenSettings): MailServer | undefined {
  const text = (name: MailSetting) => given.text(name)
  if (text('MAIL_SERVER') === undefined) {
    const lone = mailSettings.find(({ name }) => text(name) !== undefined)
    return lone && given.refuse(`${lone.name} is set without MAIL_SERVER, which names the server that takes mail.`)
  }
  const server = readServer(given)
  const from = text('MAIL_FROM')
  if (from === undefined) given.refuse('MAIL_FROM is missing; mail needs an address that it is from.')
  else if (!isMailAddress(from)) given.refuse(`MAIL_FROM is ${shown(from)}; an address is like maps@example.com.`)
  const operators = (text('MAIL_OPERATORS') ?? '').split(',').flatMap((entry) => entry.trim() || [])
  for (const address of operators) {
    if (!isMailAddress(address))
      given.refuse(`MAIL_OPERATORS has ${shown(address)}; an address is like maps@example.com.`)
  }
  const password = readPassword(given, server?.user)
  return server && from !== undefined ? { ...server, password, from, operators } : undefined
}

function readServer({ text, refuse }: GivenSettings): Omit<MailServer, 'password' | 'from' | 'operators'> | undefined {
  const given = text('MAIL_SERVER')!
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isKnown = url?.protocol === 'smtp:' || url?.protocol === 'smtps:'
  // The value itself is left out: it may have a password in it.
  if (!isKnown || url.hostname === '' || url.search || url.hash || !/^\/?$/.test(url.pathname)) {
    return refuse('MAIL_SERVER has to be like smtps://user@mail.example.com or smtp://mail.example.com:587.')
  }
  if (url.password) return refuse('MAIL_SERVER has a password in it; set MAIL_PASSWORD or MAIL_PASSWORD_FILE instead.')
  const user = findUser(url)
  if (user === undefined) return refuse('MAIL_SERVER names a user with a % that begins no character; write %25 for it.')
  const protocol = url.protocol as keyof typeof ports
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? ports[protocol] : Number(url.port),
    isTls: protocol === 'smtps:',
    user: user === '' ? undefined : user,
  }
}

/** Empty without one; undefined where it cannot be read. */
function findUser({ username }: URL): string | undefined {
  try {
    return decodeURIComponent(username)
  } catch {
    return undefined
  }
}

function readPassword({ text, refuse }: GivenSettings, user: string | undefined): GivenSecret | undefined {
  const password = text('MAIL_PASSWORD')
  const path = text('MAIL_PASSWORD_FILE')
  if (password !== undefined && path !== undefined) {
    return refuse('MAIL_PASSWORD and MAIL_PASSWORD_FILE are both set; keep one of them.')
  }
  if (password === undefined && path === undefined) {
    return user === undefined
      ? undefined
      : refuse('MAIL_SERVER names a user; set MAIL_PASSWORD or MAIL_PASSWORD_FILE as well.')
  }
  if (user === undefined) {
    return refuse('A password of mail is set, but MAIL_SERVER names no user: write smtps://user@mail.example.com.')
  }
  return password === undefined ? { kind: 'file', path: path! } : { kind: 'text', text: password }
}

/** Whether mail to it may go without TLS: it does not leave the machine. */
export function isOnThisMachine({ host }: Pick<MailServer, 'host'>): boolean {
  return isLoopback(host)
}

/** The values as they would be set, without the password. */
export function formatMailServer(server: MailServer | undefined): Readonly<Record<MailSetting, string>> {
  if (!server) {
    return { MAIL_SERVER: '', MAIL_PASSWORD: '', MAIL_PASSWORD_FILE: '', MAIL_FROM: '', MAIL_OPERATORS: '' }
  }
  const { host, port, isTls, user, password, from, operators } = server
  const before = user === undefined ? '' : `${encodeURIComponent(user)}@`
  return {
    MAIL_SERVER: `${isTls ? 'smtps' : 'smtp'}://${before}${host.includes(':') ? `[${host}]` : host}:${port}`,
    MAIL_PASSWORD: password?.kind === 'text' ? '********' : '',
    MAIL_PASSWORD_FILE: password?.kind === 'file' ? password.path : '',
    MAIL_FROM: from,
    MAIL_OPERATORS: operators.join(','),
  }
}
