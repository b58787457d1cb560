import type { Parsed } from '../../call/parsed.ts'
import { type App, type AppType, appTypes, builtInApps, secretDays } from '../../oauth/apps/app.ts'
import { parseAppPrivileges, parseRedirectUris, type Registration } from '../../oauth/apps/registration.ts'
import type { Page } from '../../paging.ts'
import type { Readers } from '../../storage/storage.ts'
import { parseArguments, requireNoArguments, requireOneArgument, runSubcommand } from '../args.ts'
import { printable, type Terminal, UsageError } from '../output/terminal.ts'
import { listByOrganization } from './by-organization.ts'
import { withDatabase, writeAsOperator } from './operator.ts'

/** Apps that users sign in to, as the operator of the server manages them; whether a server runs or not. */
export async function appCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  await runSubcommand(
    {
      list: (rest) => listApps(rest, terminal),
      register: (rest) => registerApp(rest, terminal),
      'renew-secret': (rest) => renewSecret(rest, terminal),
      disable: (rest) => switchApp(rest, terminal, true),
      enable: (rest) => switchApp(rest, terminal, false),
      unregister: (rest) => unregisterApp(rest, terminal),
    },
    args,
  )
}

const target = '/oauth2/apps'

function listApps(args: readonly string[], terminal: Terminal): Promise<void> {
  const readPage = async ({ oauth }: Readers, portalId: string, page: Page) => {
    const registered = await oauth.listApps(portalId, page)
    if (page.start > 1) return registered
    const off = await oauth.listSwitchedOff(portalId)
    const builtIn = builtInApps.map((app) => ({ ...app, portalId, isDisabled: off.includes(app.clientId) }))
    return { ...registered, entries: [...builtIn, ...registered.entries] }
  }
  return listByOrganization(args, terminal, readPage, formatApp)
}

function formatApp({ portalId, clientId, appType, isDisabled, secretExpiresAt, title }: App): string {
  const end = secretExpiresAt === undefined ? 'no end' : new Date(secretExpiresAt).toISOString().slice(0, 10)
  const words = [appType.padEnd(8), (isDisabled ? 'disabled' : 'enabled').padEnd(8), end.padEnd(10), printable(title)]
  return `${portalId}  ${clientId.padEnd(16)}  ${words.join('  ')}`
}

async function registerApp(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, {
    organization: { type: 'string' },
    title: { type: 'string' },
    type: { type: 'string' },
    'redirect-uri': { type: 'string', multiple: true },
    privilege: { type: 'string', multiple: true },
    expiration: { type: 'string' },
  } as const)
  requireNoArguments(positionals)
  const { organization, title, type = 'multiple' } = values
  if (!organization)
    throw new UsageError('app register needs --organization; "cartulary organization list" lists them.')
  if (!title?.trim()) throw new UsageError('app register needs --title.')
  const appType = appTypes.find((known) => known === type)
  if (!appType) throw new UsageError(`--type has to be one of ${appTypes.join(', ')}.`)
  const days = readDays(values.expiration)
  const given = { value: readGiven(appType, values['redirect-uri'] ?? [], values.privilege) }
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { random } = dependencies
    const secret = random.token()
    const prepared = { clientId: random.shortId(), secretHash: random.hashToken(secret), secretDays: days }
    const asked = { portalId: organization, title, ...prepared }
    const { app } = await writeAsOperator(dependencies, 'registerOperatorApp', { ...asked, given }, target)
    terminal.print(`Client id      ${app.clientId}`)
    if (app.secretHash !== undefined) printSecret(terminal, app, secret)
  })
}

function readGiven(
  appType: AppType,
  redirectUris: readonly string[],
  privileges: readonly string[] | undefined,
): Pick<Registration, 'appType' | 'redirectUris'> & Partial<Registration> {
  return {
    appType,
    redirectUris: requireOption('--redirect-uri', parseRedirectUris(redirectUris)),
    ...(privileges && { privileges: requireOption('--privilege', parseAppPrivileges(privileges)) }),
  }
}

function requireOption<Value>(name: string, parsed: Parsed<Value>): Value {
  if ('problems' in parsed) throw new UsageError(`${name} ${parsed.problems.join(' ')}`)
  return parsed.value
}

/** Days until a secret ends, as an option has them. */
function readDays(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const days = Number(given)
  if (Number.isInteger(days) && days >= 1 && days <= secretDays.max) return days
  throw new UsageError(`--expiration has to be a number of days from 1 to ${secretDays.max}.`)
}

function printSecret({ print }: Terminal, { secretExpiresAt }: App, secret: string): void {
  print(`Client secret  ${secret}`)
  print(`Ends           ${new Date(secretExpiresAt!).toISOString()}`)
  print('This secret is shown only now.')
}

async function renewSecret(args: readonly string[], terminal: Terminal): Promise<void> {
  const options = { 'end-former': { type: 'boolean' }, expiration: { type: 'string' } } as const
  const { values, positionals } = parseArguments(args, options)
  const clientId = requireOneArgument(positionals, 'app renew-secret needs a client id.')
  const days = readDays(values.expiration)
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { random } = dependencies
    const secret = random.token()
    const endsFormer = values['end-former'] === true
    const input = { clientId, secretHash: random.hashToken(secret), secretDays: days, endsFormer }
    const { app } = await writeAsOperator(dependencies, 'renewOperatorSecret', input, target)
    printSecret(terminal, app, secret)
    terminal.print(
      app.formerSecretHash === undefined
        ? 'Any secret before it has ended, with the tokens that the app got for itself.'
        : 'The secret before it stays valid until the renewal is completed by endFormerSecret.',
    )
  })
}

async function switchApp(args: readonly string[], terminal: Terminal, isDisabled: boolean): Promise<void> {
  const { values, positionals } = parseArguments(args, { organization: { type: 'string' } } as const)
  const word = isDisabled ? 'disable' : 'enable'
  const clientId = requireOneArgument(positionals, `app ${word} needs a client id.`)
  const input = { clientId, portalId: values.organization, isDisabled }
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { app } = await writeAsOperator(dependencies, 'switchOperatorApp', input, target)
    const title = printable(app.title)
    terminal.print(
      isDisabled
        ? `${title} is switched off, and every sign-in to it has ended. "cartulary app enable ${clientId}" switches it on again.`
        : `${title} is switched on.`,
    )
  })
}

async function unregisterApp(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArguments(args, {})
  const clientId = requireOneArgument(positionals, 'app unregister needs a client id.')
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { app } = await writeAsOperator(dependencies, 'unregisterOperatorApp', { clientId }, target)
    terminal.print(`${printable(app.title)} is not registered any more, and every sign-in to it has ended.`)
  })
}
