/** The settings of sign-in through an identity provider. */
import { type AccountRules, type ProviderSettings, parsePointer, type RoleMap } from '../identities/rules.ts'
import { isLoopback } from './addresses.ts'
import { type GivenSettings, readChoice, shown } from './given.ts'

export const providerSettings = [
  {
    name: 'OIDC_ISSUER',
    default: '',
    meaning:
      'Issuer of an identity provider (OpenID Connect), such as https://login.example.com/realms/maps: its users sign in through it. Without it, nothing is asked of one, and the settings below have no place.',
  },
  { name: 'OIDC_CLIENT_ID', default: '', meaning: 'Client id that the identity provider has for this server.' },
  {
    name: 'OIDC_CLIENT_SECRET',
    default: '',
    meaning: 'Secret of that client. Without one, the proof key (PKCE) alone speaks for it.',
    isSecret: true,
  },
  {
    name: 'OIDC_CLIENT_SECRET_FILE',
    default: '',
    meaning: 'File with that secret. Not together with OIDC_CLIENT_SECRET.',
  },
  {
    name: 'OIDC_SCOPES',
    default: 'openid profile email',
    meaning: 'What is asked of the identity provider; openid has to be among it.',
  },
  {
    name: 'OIDC_HOSTS',
    default: '',
    meaning:
      'Hosts that the server may call besides that of the issuer, with commas between them; without it, those of the addresses that the discovery names.',
  },
  {
    name: 'OIDC_BUTTON',
    default: 'Sign in with your organization',
    meaning: 'Text of the button, 1 to 64 characters.',
  },
  {
    name: 'OIDC_ORGANIZATION',
    default: '',
    meaning: 'Id of the organization here whose users sign in so; without it, the oldest one.',
  },
  {
    name: 'OIDC_USERNAME_CLAIM',
    default: 'preferred_username',
    meaning: 'Claim with the username: shown, and the name of users who are created.',
  },
  {
    name: 'OIDC_LINK_CLAIM',
    default: 'sub',
    meaning:
      'Claim whose value administrators enter as idpUsername beforehand. Another one than sub only where people cannot choose its value themselves.',
  },
  {
    name: 'OIDC_EMAIL_DOMAINS',
    default: '',
    meaning:
      'Domains with commas between them: an e-mail address of one that the provider has verified links to the user with the same address, who has no password and has never signed in, so that an administrator has set it. Refused for Entra, whose addresses are not verified.',
  },
  {
    name: 'OIDC_CREATE_USERS',
    default: 'false',
    meaning: 'true: who signs in for the first time, and is linked to no user, becomes one.',
  },
  {
    name: 'OIDC_ROLE_POINTER',
    default: '',
    meaning: 'JSON pointer to the claim that gives roles, such as /roles or /realm_access/roles. With OIDC_ROLE_MAP.',
  },
  {
    name: 'OIDC_ROLE_MAP',
    default: '',
    meaning:
      'JSON object of values of that claim and the role of each, such as {"gis-admins":"org_admin"}: the first that matches counts, at every sign-in.',
  },
  {
    name: 'OIDC_ROLE_UNMATCHED',
    default: 'refuse',
    meaning: 'The role where no value matches; refuse: such users do not sign in.',
  },
  {
    name: 'OIDC_ROLE_AT',
    default: 'sign-in',
    meaning: 'sign-in: the map gives the role at every sign-in; creation: only to users who are created.',
  },
  {
    name: 'OIDC_REQUIRED_POINTER',
    default: '',
    meaning: 'JSON pointer to a claim that has to have the value below, or no one signs in.',
  },
  { name: 'OIDC_REQUIRED_VALUE', default: '', meaning: 'That value, or one entry of a list.' },
  {
    name: 'OIDC_SIGN_OUT',
    default: 'false',
    meaning: 'true: the page of sign-out offers to sign out at the identity provider too.',
  },
  {
    name: 'OIDC_PASSWORD_FORM',
    default: 'shown',
    meaning:
      'hidden: the page of sign-in has no fields for username and password, unless its address has password_form=true, for the administrator who signs in when the provider does not answer.',
  },
] as const

type ProviderSetting = (typeof providerSettings)[number]['name']

/** The identity provider; undefined where none is set, or its settings are refused. */
export function readIdentityProvider(
  given: GivenSettings,
  publicUrl: string | undefined,
): ProviderSettings | undefined {
  const text = (name: ProviderSetting) => given.text(name)
  if (text('OIDC_ISSUER') === undefined) {
    const lone = providerSettings.find(({ name }) => text(name) !== undefined)
    return lone && given.refuse(`${lone.name} is set without OIDC_ISSUER, which names the identity provider.`)
  }
  const issuer = readIssuer(given)
  const clientId = text('OIDC_CLIENT_ID')
  if (clientId === undefined) given.refuse('OIDC_CLIENT_ID is missing; the identity provider gives it to this server.')
  if (publicUrl !== undefined && !/^https:/.test(publicUrl) && !isLoopback(new URL(publicUrl).hostname)) {
    given.refuse('OIDC_ISSUER is set, but PUBLIC_URL is not https: browsers keep no sign-in there.')
  }
  const secret = text('OIDC_CLIENT_SECRET')
  const path = text('OIDC_CLIENT_SECRET_FILE')
  if (secret !== undefined && path !== undefined) {
    given.refuse('OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set; keep one of them.')
  }
  const scopes = given.value('OIDC_SCOPES')
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(scopes) || !scopes.split(' ').includes('openid')) {
    given.refuse(`OIDC_SCOPES is ${shown(scopes)}; it has to be words with a space between them, openid among them.`)
  }
  const button = given.value('OIDC_BUTTON')
  if (button.length > 64) given.refuse(`OIDC_BUTTON has ${button.length} characters; at most 64 are allowed.`)
  const settings = {
    scopes,
    button,
    hosts: readHosts(given),
    hidesPasswordForm: readChoice(given, 'OIDC_PASSWORD_FORM', ['shown', 'hidden']) === 'hidden',
    endsItsSession: readSwitch(given, 'OIDC_SIGN_OUT'),
    rules: readRules(given, issuer),
  }
  if (issuer === undefined || clientId === undefined) return undefined
  const clientSecret =
    secret !== undefined
      ? ({ kind: 'text', text: secret } as const)
      : path !== undefined
        ? ({ kind: 'file', path } as const)
        : undefined
  return { issuer, clientId, clientSecret, ...settings }
}

function readSwitch(given: GivenSettings, name: ProviderSetting): boolean {
  return readChoice(given, name, ['false', 'true']) === 'true'
}

/** The text, but for what is pasted after it. */
function readIssuer({ text, refuse }: GivenSettings): string | undefined {
  const given = text('OIDC_ISSUER')!.replace(/\/\.well-known\/openid-configuration\/?$/, '')
  const rule = 'an https URL without query, hash or user, such as https://login.example.com/realms/maps'
  if (!URL.canParse(given)) return refuse(`OIDC_ISSUER has to be ${rule}.`)
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(given)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))
  // The URL itself is left out: it may have a password in it.
  if (!isSafe || search || hash || username || password) return refuse(`OIDC_ISSUER has to be ${rule}.`)
  const tenant = isEntra(hostname) ? /^\/(common|organizations|consumers)(?=\/|$)/i.exec(pathname)?.[1] : undefined
  if (tenant === undefined) return given
  return refuse(
    `OIDC_ISSUER names ${tenant}, so that users of any organization could sign in; give your own tenant’s id.`,
  )
}

function isEntra(hostname: string): boolean {
  return /(^|\.)(microsoftonline\.(com|us)|windows\.net|partner\.microsoftonline\.cn)$/i.test(hostname)
}

function readList({ text }: GivenSettings, name: ProviderSetting): readonly string[] | undefined {
  return text(name)
    ?.split(',')
    .map((entry) => entry.trim().toLowerCase())
}

function readHosts(given: GivenSettings): readonly string[] | undefined {
  const hosts = readList(given, 'OIDC_HOSTS')
  for (const host of hosts ?? []) {
    if (URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host) continue
    given.refuse(`OIDC_HOSTS has ${shown(host) || 'an empty entry'}; a host is like login.example.com, or with a port.`)
  }
  return hosts
}

function readRules(given: GivenSettings, issuer: string | undefined): AccountRules {
  const emailDomains = readList(given, 'OIDC_EMAIL_DOMAINS') ?? []
  for (const domain of emailDomains) {
    if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) continue
    given.refuse(`OIDC_EMAIL_DOMAINS has ${shown(domain) || 'an empty entry'}; a domain is like example.com.`)
  }
  if (emailDomains.length > 0 && issuer !== undefined && isEntra(new URL(issuer).hostname)) {
    given.refuse('OIDC_EMAIL_DOMAINS is set, but Entra does not verify e-mail addresses; enter idpUsername instead.')
  }
  return {
    organization: given.text('OIDC_ORGANIZATION'),
    usernameClaim: given.value('OIDC_USERNAME_CLAIM'),
    linkClaim: given.value('OIDC_LINK_CLAIM'),
    emailDomains,
    createsUsers: readSwitch(given, 'OIDC_CREATE_USERS'),
    roles: readRoleMap(given),
    gate: readGate(given),
  }
}

function readGate(given: GivenSettings): AccountRules['gate'] {
  const pointer = readPointer(given, 'OIDC_REQUIRED_POINTER', 'OIDC_REQUIRED_VALUE')
  const value = given.text('OIDC_REQUIRED_VALUE')
  return pointer && value !== undefined ? { pointer, value } : undefined
}

function readRoleMap(given: GivenSettings): RoleMap | undefined {
  const pointer = readPointer(given, 'OIDC_ROLE_POINTER', 'OIDC_ROLE_MAP')
  const unmatched = given.value('OIDC_ROLE_UNMATCHED')
  const isForNewUsersOnly = readChoice(given, 'OIDC_ROLE_AT', ['sign-in', 'creation']) === 'creation'
  const entries = readEntries(given)
  if (given.text('OIDC_ROLE_MAP') === undefined) {
    const lone = (['OIDC_ROLE_UNMATCHED', 'OIDC_ROLE_AT'] as const).find((name) => given.text(name) !== undefined)
    if (lone && !pointer) given.refuse(`${lone} is set without OIDC_ROLE_MAP, which gives the roles.`)
  }
  if (!pointer || !entries) return undefined
  return { pointer, entries, unmatched: unmatched === 'refuse' ? undefined : unmatched, isForNewUsersOnly }
}

/** Both have to be set, or none. */
function readPointer(
  given: GivenSettings,
  name: ProviderSetting,
  other: ProviderSetting,
): readonly string[] | undefined {
  const text = given.text(name)
  if ((text === undefined) !== (given.text(other) === undefined)) {
    const [set, missing] = text === undefined ? [other, name] : [name, other]
    return given.refuse(`${set} is set without ${missing}; both are needed.`)
  }
  const pointer = text === undefined ? undefined : parsePointer(text)
  if (text !== undefined && !pointer) given.refuse(`${name} is ${shown(text)}; a JSON pointer is like /roles.`)
  return pointer
}

function readEntries({ text, refuse }: GivenSettings): RoleMap['entries'] | undefined {
  const given = text('OIDC_ROLE_MAP')
  if (given === undefined) return undefined
  const entries = Object.entries(parseObject(given) ?? {})
  const isValid = entries.length > 0 && entries.every(([, role]) => typeof role === 'string' && role !== '')
  if (!isValid) return refuse('OIDC_ROLE_MAP has to be a JSON object of texts, such as {"gis-admins":"org_admin"}.')
  const number = entries.find(([value]) => /^\d+$/.test(value))
  // JSON readers put such names first, so that the order would be another one than it looks.
  if (number) return refuse(`OIDC_ROLE_MAP has the value ${number[0]}; values that are whole numbers have no order.`)
  return entries as RoleMap['entries']
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The values as they would be set, without the secret. */
export function formatIdentityProvider(
  settings: ProviderSettings | undefined,
): Readonly<Record<ProviderSetting, string>> {
  const defaults = Object.fromEntries(providerSettings.map((one) => [one.name, one.default]))
  const none = defaults as Record<ProviderSetting, string>
  if (!settings) return none
  const { clientSecret, rules } = settings
  const { roles, gate } = rules
  return {
    OIDC_ISSUER: settings.issuer,
    OIDC_CLIENT_ID: settings.clientId,
    OIDC_CLIENT_SECRET: clientSecret?.kind === 'text' ? '********' : '',
    OIDC_CLIENT_SECRET_FILE: clientSecret?.kind === 'file' ? clientSecret.path : '',
    OIDC_SCOPES: settings.scopes,
    OIDC_HOSTS: settings.hosts?.join(',') ?? '',
    OIDC_BUTTON: settings.button,
    OIDC_ORGANIZATION: rules.organization ?? '',
    OIDC_USERNAME_CLAIM: rules.usernameClaim,
    OIDC_LINK_CLAIM: rules.linkClaim,
    OIDC_EMAIL_DOMAINS: rules.emailDomains.join(','),
    OIDC_CREATE_USERS: String(rules.createsUsers),
    OIDC_ROLE_POINTER: formatPointer(roles?.pointer),
    OIDC_ROLE_MAP: roles ? JSON.stringify(Object.fromEntries(roles.entries)) : '',
    OIDC_ROLE_UNMATCHED: roles?.unmatched ?? none.OIDC_ROLE_UNMATCHED,
    OIDC_ROLE_AT: roles?.isForNewUsersOnly ? 'creation' : none.OIDC_ROLE_AT,
    OIDC_REQUIRED_POINTER: formatPointer(gate?.pointer),
    OIDC_REQUIRED_VALUE: gate?.value ?? '',
    OIDC_SIGN_OUT: String(settings.endsItsSession),
    OIDC_PASSWORD_FORM: settings.hidesPasswordForm ? 'hidden' : 'shown',
  }
}

function formatPointer(names: readonly string[] | undefined): string {
  return (names ?? []).map((name) => `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
}
