import { type Config, readConfig } from '../config.ts'
import { findExposure } from '../secrets/secret-file.ts'
import { openServer, type Server } from '../server.ts'
import { announce, announceFirstRun } from './announce.ts'
import { requireNoArguments } from './args.ts'
import { type DiskReserve, openDiskReserve } from './disk-reserve.ts'
import { startHousekeeping } from './housekeeping.ts'
import { formatLogLine } from './log-line.ts'
import { type BackupSchedule, openBackupSchedule } from './scheduled-backup.ts'
import type { Terminal } from './terminal.ts'

/** Time for requests in flight after the process was asked to end. */
const drainMilliseconds = 10_000

/** Serves until the process is asked to end or the storage has failed for good; requests in flight are still answered. */
export async function serveCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  requireNoArguments(args)
  const config = readConfig(terminal.environment)
  const server = await openLoggingServer(config, terminal)
  await serveUntilEnded(server, config, terminal, async () => {
    // Before anything else can fail: a generated password is kept nowhere but here.
    if (server.firstRun) announceFirstRun(server.firstRun, config.database, terminal)
    warnOfExposure(config, terminal)
    const address = await server.listen()
    if (server.metricsUrl()) announce(terminal, `Metrics are at ${server.metricsUrl()}.`)
    announce(terminal, formatReady(server, address))
  })
}

/** A server whose log is for people on a terminal, and else JSON. */
export function openLoggingServer(config: Config, terminal: Terminal): Promise<Server> {
  const logLines = terminal.isTerminal ? { write: (line: string) => terminal.print(formatLogLine(line)) } : undefined
  return openServer(config, { logLines })
}

/** The sentence of a server that listens. */
export function formatReady({ dependencies, publicUrl }: Server, address: string): string {
  return (
    `Cartulary is ready at ${address}, with ${dependencies.storage.description}. ` +
    `Open ${publicUrl()}/sharing/rest in a browser, or see ${publicUrl()}/openapi.json.`
  )
}

/** Has the server listen and keeps its house until it ends; closes it whatever happens. */
export async function serveUntilEnded(
  server: Server,
  config: Config,
  terminal: Terminal,
  listen: () => Promise<void>,
): Promise<void> {
  let endHousekeeping = async () => {}
  let backups: BackupSchedule | undefined
  let reserve: DiskReserve | undefined
  try {
    await listen()
    endHousekeeping = startHousekeeping(
      { ...server.dependencies, settings: config },
      {
        onRemoved: (removed) => server.app.log.info(removed, 'retention'),
        onFailure: (error) => server.app.reportFailure(error, 'Housekeeping failed and will be tried again.'),
      },
    )
    backups = openBackups(config, server)
    reserve = openReserve(config, server)
    // After a failure of the storage only a new process can go on: the service manager starts it.
    const failure = await Promise.race([aborted(terminal.signal), server.dependencies.storage.failure])
    if (failure) throw failure
  } finally {
    const late = setTimeout(() => {
      terminal.printError('Requests were still running after 10 seconds and were cut off.')
      terminal.exit(1)
    }, drainMilliseconds)
    await Promise.all([endHousekeeping(), backups?.end(), reserve?.end()])
    await server.close()
    clearTimeout(late)
  }
}

/** Keeps room for the time when the disk is full. */
function openReserve({ database, diskReserveMegabytes: megabytes }: Config, server: Server): DiskReserve | undefined {
  if (database.engine !== 'sqlite' || database.file === ':memory:') return undefined
  const { file } = database
  const reserve = openDiskReserve({ file, megabytes, onMade: (path) => server.app.log.info({ path }, 'reserve made') })
  void reserve.run()
  return reserve
}

/** Begins to make backups, where there is a folder for them. */
function openBackups({ database, backup: setting }: Config, server: Server): BackupSchedule | undefined {
  if (!setting || database.engine !== 'sqlite') return undefined
  const { backups: record, now } = server.dependencies
  const schedule = openBackupSchedule({
    file: database.file,
    setting,
    record,
    now,
    onMade: ({ path, bytes, removed }) => server.app.log.info({ path, bytes, removed }, 'backup made'),
    onFailure: (error) =>
      server.app.reportFailure(
        error,
        'No backup could be made; those that are there stay, and it will be tried again.',
      ),
  })
  void schedule.run()
  return schedule
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
