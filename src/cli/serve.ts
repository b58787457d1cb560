import { startWatch } from '../background/attention.ts'
import { startCoverage } from '../background/coverage.ts'
import { execute, startHousekeeping } from '../background/housekeeping.ts'
import { startJobs } from '../background/jobs.ts'
import { startSending } from '../background/sending.ts'
import { type Config, ConfigError, parseConfig, readConfig } from '../config.ts'
import { firstRunAddress } from '../first-organization.ts'
import { findExposure } from '../secrets/secret-file.ts'
import { openServer, type Server } from '../server.ts'
import { formatFormerSettings } from '../settings/former-settings.ts'
import { readCertificate } from '../start/certificate.ts'
import { type HeldPorts, holdPorts } from '../start/held-port.ts'
import { findPlaceProblems } from '../start/places.ts'
import { answerWhileStarting } from '../start/starting-server.ts'
import { StartEnded, type StartWait } from '../storage/storage.ts'
import { requireNoArguments } from './args.ts'
import { type DiskReserve, openDiskReserve } from './backups/disk-reserve.ts'
import { type BackupSchedule, openBackupSchedule } from './backups/scheduled-backup.ts'
import { announce, announceFirstRun, openStartLines } from './output/announce.ts'
import { formatLogLine } from './output/log-line.ts'
import type { Terminal } from './output/terminal.ts'
import { recordAddress } from './server-address.ts'

/** Time for requests in flight after the process was asked to end. */
const drainMilliseconds = 10_000

/** Serves until the process is asked to end or the storage has failed for good; requests in flight are still answered. */
export async function serveCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  requireNoArguments(args)
  let running: Server | undefined
  // A signal that comes too early has nothing to renew, and must not end the process.
  terminal.onHangup?.(() => renewCertificate(running))
  const config = readStartConfig(terminal)
  // Before anything is made: a start that fails leaves nothing behind, and shows no password.
  const held = await holdPorts(config)
  try {
    const server = await openWaitingServer(config, terminal, held)
    if (!server) return
    running = server
    await serveUntilEnded(server, config, terminal, {
      listen: () => listen(server, held, config, terminal),
      closePort: () => held.api.release(),
    })
  } finally {
    held.api.release()
    held.metrics?.release()
  }
}

async function listen(server: Server, held: HeldPorts, config: Config, terminal: Terminal): Promise<void> {
  // Before anything else can fail: a generated password is kept nowhere but here.
  if (server.firstRun) {
    const { secret } = server.firstRun
    const link = secret === undefined ? undefined : firstRunAddress(addressOf(server, held, config), secret)
    announceFirstRun(server.firstRun, { database: config.database, link }, terminal)
  } else noteUnusedAdministrator(server, terminal)
  const former = formatFormerSettings(terminal.environment)
  if (former) server.app.log.info(former)
  warnOfExposure(config, terminal)
  const address = await server.listen(held)
  keepAddress(server, config)
  if (server.metricsUrl()) announce(terminal, `Metrics are at ${server.metricsUrl()}.`)
  announce(terminal, formatReady(server, address))
}

/** Commands beside the server print links by it; without it, a link may have another port. */
function keepAddress(server: Server, config: Config): void {
  try {
    recordAddress(config, server.publicUrl())
  } catch (error) {
    server.app.reportFailure(
      error,
      'The address could not be written beside the database; commands print that of their settings.',
    )
  }
}

/** The public address of a server that does not listen yet: where none is set, with the port that it will have. */
function addressOf(server: Server, held: HeldPorts, { publicUrl }: Config): string {
  if (publicUrl !== undefined) return publicUrl
  const address = new URL(server.publicUrl())
  address.port = String(held.api.port)
  return address.origin
}

/** Opens the server, and answers probes meanwhile if that takes long; undefined if the process is asked to end before. */
async function openWaitingServer(config: Config, terminal: Terminal, held: HeldPorts): Promise<Server | undefined> {
  let endAnswers = () => {}
  const lines = openStartLines(terminal, () => {
    endAnswers = answerWhileStarting(held.api, config.tls && readCertificate(config.tls))
  })
  try {
    const server = await openLoggingServer(config, terminal, {
      ...lines,
      databaseMilliseconds: config.databaseWaitSeconds * 1_000,
      serversMilliseconds: config.migrationWaitSeconds * 1_000,
    })
    server.app.server.once('listening', () => setImmediate(endAnswers))
    return server
  } catch (error) {
    if (!(error instanceof StartEnded)) throw error
    announce(terminal, error.message)
    return undefined
  } finally {
    lines.end()
  }
}

/** A server whose log is for people on a terminal, and else JSON. */
export function openLoggingServer(config: Config, terminal: Terminal, wait?: StartWait): Promise<Server> {
  terminal.onServe?.()
  const logLines = terminal.isTerminal ? { write: (line: string) => terminal.print(formatLogLine(line)) } : undefined
  return openServer(config, { logLines, ...(wait && { wait }) })
}

/** The sentence of a server that listens. */
export function formatReady({ dependencies, publicUrl }: Server, address: string): string {
  return (
    `Cartulary is ready at ${address}, with ${dependencies.storage.description}. ` +
    `Open ${publicUrl()}/ in a browser, or see ${publicUrl()}/openapi.json.`
  )
}

/** How a server takes its port and gives it up. */
interface Port {
  readonly listen: () => Promise<void>
  /** Absent where no proxy is in front of it, which would have to notice. */
  readonly closePort?: () => void
}

/** Has the server listen and keeps its house until it ends; closes it whatever happens. */
export async function serveUntilEnded(
  server: Server,
  config: Config,
  terminal: Terminal,
  { listen, closePort }: Port,
): Promise<void> {
  let endHousekeeping = async () => {}
  let endJobs = async () => {}
  let endCoverage = async () => {}
  let endWatch = async () => {}
  let endSending = async () => {}
  let backups: BackupSchedule | undefined
  let reserve: DiskReserve | undefined
  try {
    await listen()
    const needs = { ...server.dependencies, settings: config, publicUrl: server.publicUrl }
    endHousekeeping = startHousekeeping(needs, {
      onRemoved: (removed) => server.app.log.info(removed, 'retention'),
      onFailure: (error) => server.app.reportFailure(error, 'Housekeeping failed and will be tried again.'),
    })
    endJobs = startJobs(needs, {
      onFailure: server.app.reportFailure,
      onPause: (pauses) =>
        pauses
          ? server.app.log.warn('Jobs and publications that are due pause: the disk of the database is nearly full.')
          : server.app.log.info('Jobs and publications that are due go on.'),
    })
    const place = { portalUrl: `${server.publicUrl()}/`, sends: config.webhooks.isOn }
    const { copied } = await execute(needs, 'noteServing', { ...place, revision: needs.random.id() })
    if (copied > 0)
      server.app.log.warn(`This server is a copy: ${copied} webhooks are off until someone activates them.`)
    const { outgoing } = needs
    if (outgoing) {
      const sending = startSending({ ...needs, outgoing }, (error) =>
        server.app.reportFailure(error, 'Sending of webhooks failed and will be tried again.'),
      )
      server.onWritten(sending.wake)
      endSending = sending.end
    }
    endCoverage = startCoverage(needs, (error) =>
      server.app.reportFailure(error, 'Counting items by category failed and will be tried again.'),
    )
    backups = openBackups(config, server)
    reserve = openReserve(config, server)
    endWatch = startWatch({
      ...server.dependencies,
      findCertificateProblem: () => server.certificate()?.findProblem(),
      operators: config.mail?.operators ?? [],
      publicUrl: server.publicUrl,
      note: noteOf(config, 'attention'),
      makesBackups: config.backup !== undefined,
      log: server.app.log,
      onFailure: (error) => server.app.reportFailure(error, 'A look at what may need a person failed.'),
    })
    // After a failure of the storage only a new process can go on: the service manager starts it.
    const failure = await Promise.race([aborted(terminal.signal), server.dependencies.storage.failure])
    if (failure) throw failure
    const reason = String(terminal.signal.reason)
    // Ctrl-C on a terminal waits for no proxy.
    if (reason === 'SIGTERM' && closePort) await drain(server, config, closePort)
    server.app.log.info(`Asked to end by ${reason}: requests in flight are answered, and no others are taken.`)
  } finally {
    const late = setTimeout(() => {
      terminal.printError('Requests were still running after 10 seconds and were cut off.')
      terminal.exit(1)
    }, drainMilliseconds)
    await Promise.all([
      endHousekeeping(),
      endJobs(),
      endCoverage(),
      endWatch(),
      endSending(),
      backups?.end(),
      reserve?.end(),
    ])
    await server.close()
    clearTimeout(late)
  }
  server.app.log.info('Ended: the requests are answered and the database is closed.')
}

/** Serves on until proxies and balancers have noticed that the server is not ready. */
async function drain(
  { app, dependencies }: Server,
  { drainSeconds: seconds }: Config,
  closePort: () => void,
): Promise<void> {
  if (seconds > 0) app.log.info(`Asked to end by SIGTERM: not ready, and answering for ${seconds} more seconds.`)
  const failure = await Promise.race([app.draining.drain(seconds * 1_000, closePort), dependencies.storage.failure])
  if (failure) throw failure
}

/** The settings, or ConfigError with all that is wrong with them and with the files that they name. */
function readStartConfig({ environment }: Terminal): Config {
  const { config, refusals } = parseConfig(environment)
  const all = [...refusals, ...findPlaceProblems(config, readConfig({}))]
  if (all.length > 0) throw new ConfigError(...all)
  return config
}

function renewCertificate(server: Server | undefined): void {
  const certificate = server?.certificate()
  if (certificate) certificate.renew()
  else server?.app.log.info('SIGHUP renews the certificate, and there is none; settings are read at the start only.')
}

/** Keeps room for the time when the disk is full. */
function openReserve({ database, diskReserveMegabytes: megabytes }: Config, server: Server): DiskReserve | undefined {
  if (database.engine !== 'sqlite' || database.file === ':memory:') return undefined
  const { file } = database
  const reserve = openDiskReserve({ file, megabytes, onMade: (path) => server.app.log.info({ path }, 'reserve made') })
  void reserve.run()
  return reserve
}

/** A file of the server itself, beside its database, or beside the secret where the database is elsewhere. */
function noteOf({ database, secretKey }: Config, ending: string): string | undefined {
  if (database.engine === 'sqlite') return database.file === ':memory:' ? undefined : `${database.file}.${ending}`
  return secretKey.kind === 'file' ? `${secretKey.path}.${ending}` : undefined
}

/** Begins to make backups, where there is a folder for them. */
function openBackups(config: Config, server: Server): BackupSchedule | undefined {
  const { database, backup: setting } = config
  if (!setting) return undefined
  const { backups: record, now } = server.dependencies
  const schedule = openBackupSchedule({
    database,
    setting,
    record,
    folderRecord: noteOf(config, 'backup-folder'),
    now,
    onMade: ({ path, bytes, removed }) => server.app.log.info({ path, bytes, removed }, 'backup made'),
    onFailure: (error) =>
      server.app.reportFailure(error, 'The backup failed; those that are there stay, and it will be tried again.'),
  })
  void schedule.run()
  return schedule
}

/** Containers keep these settings for good, so it is no warning; who has changed them learns why they have no effect. */
function noteUnusedAdministrator(server: Server, { environment }: Terminal): void {
  const given = ['ADMIN_USERNAME', 'ADMIN_PASSWORD'].filter((name) => environment[name])
  if (given.length === 0) return
  const [names, have] = given.length === 1 ? [given[0], 'has'] : [given.join(' and '), 'have']
  server.app.log.info(
    `${names} ${have} no effect: the database has an organization already. "cartulary user reset <username>" gives a user another ` +
      'password, "cartulary user create <username>" makes another user.',
  )
}

/** A warning and no refusal, as secrets that containers mount often have mode 444, which only the container sees. */
function warnOfExposure({ secretKey, previousSecretKey }: Config, { printError }: Terminal): void {
  for (const secret of [secretKey, previousSecretKey]) {
    const exposure = secret?.kind === 'file' ? findExposure(secret.path) : undefined
    if (exposure) printError(exposure)
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
