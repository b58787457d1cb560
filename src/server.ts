import { setTimeout as wait } from 'node:timers/promises'
import type { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { type DependencyOverrides, type OpenDependencies, openDependencies } from './dependencies.ts'
import { type FirstRun, prepareFirstRun } from './first-organization.ts'
import { type Application, findBuiltApplication } from './http/application/application.ts'
import { createHttp } from './http/http.ts'
import { createMetricsHttp, openMetrics } from './http/telemetry/metrics.ts'
import { contextPathOf } from './http/transport/context-path.ts'
import type { LogLines } from './http/transport/log.ts'
import type { MailReport } from './mail/mailer.ts'
import { keepRenewed, type RenewedCertificate, readCertificate } from './start/certificate.ts'
import { type HeldPorts, holdPorts, urlOf } from './start/held-port.ts'

const reapMilliseconds = 50

/** A server; tests inject requests without listening. */
export interface Server {
  readonly app: FastifyInstance
  readonly dependencies: OpenDependencies
  /** Undefined if the database was not empty. */
  readonly firstRun: FirstRun | undefined
  /** Root of every absolute URL in answers and output. */
  publicUrl(): string
  /** URL of the metrics listener; undefined if it has not started or metrics are served beside the API. */
  metricsUrl(): string | undefined
  /** Has the listener called after each write of a request. */
  onWritten(listener: () => void): void
  /** Starts listening, on ports that are taken now unless they are given; resolves with the address. */
  listen(held?: HeldPorts): Promise<string>
  /** The certificate of HTTPS, from the moment at which it listens; undefined for plain HTTP. */
  certificate(): RenewedCertificate | undefined
  /** Finishes requests in flight, then closes the database. */
  close(): Promise<void>
}

/** Replacements for a server's defaults. */
export interface ServerOverrides extends DependencyOverrides {
  readonly logLines?: LogLines | undefined
  readonly findApplication?: () => Application | undefined
}

/** Opens and migrates the storage, creates the first organization if there is none, and builds the server. */
export async function openServer(
  config: Config,
  { logLines, findApplication = findBuiltApplication, ...overrides }: ServerOverrides = {},
): Promise<Server> {
  const tls = config.tls && readCertificate(config.tls)
  const dependencies = await openDependencies(config, overrides)
  const metrics = openMetrics(dependencies)
  try {
    const firstRun = await prepareFirstRun(dependencies, config)
    let { port } = config
    let metricsUrl: string | undefined
    let certificate: RenewedCertificate | undefined
    const publicUrl = () => config.publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${port}`
    const settings = { ...config, tls, logLines }
    let onWritten = () => {}
    const storage = { ...metrics.storage, write: noticed(metrics.storage.write, () => onWritten()) }
    const app = await createHttp({ ...dependencies, storage }, settings, publicUrl, findApplication())
    metrics.watch(app)
    dependencies.mailer?.watch((report) => logMail(app, report))
    let served = tls
    metrics.showCertificate(() => served?.cert)
    const own = config.metrics && (await createMetricsHttp(metrics, settings, dependencies))
    if (!own) metrics.serve(app, contextPathOf(publicUrl()))
    const closings = [app, ...(own ? [own] : [])].map(prepareClose)
    return {
      app,
      dependencies,
      firstRun,
      publicUrl,
      metricsUrl: () => metricsUrl,
      certificate: () => certificate,
      onWritten(listener) {
        onWritten = listener
      },
      async listen(given) {
        await Promise.all([app.ready(), own?.ready()])
        const held = given ?? (await holdPorts(config))
        port = held.api.port
        if (own && held.metrics) {
          await held.metrics.giveTo(own.server)
          metricsUrl = `${urlOf(own.server, 'http')}/metrics`
        }
        await held.api.giveTo(app.server)
        certificate =
          tls &&
          keepRenewed({
            files: config.tls!,
            present: tls,
            use(renewed) {
              const { cert, key } = renewed
              ;(app.server as unknown as TlsServer).setSecureContext({ cert, key })
              served = renewed
            },
            log: app.log,
            now: dependencies.now,
          })
        return urlOf(app.server, tls ? 'https' : 'http')
      },
      async close() {
        certificate?.close()
        await Promise.all(closings.map((close) => close()))
        await dependencies.mailer?.end()
        metrics.close()
        await dependencies.storage.close()
      },
    }
  } catch (error) {
    metrics.close()
    await dependencies.storage.close()
    throw error
  }
}

/** A write that is noticed when it is done. */
function noticed<Given extends readonly unknown[]>(
  write: (...given: Given) => Promise<unknown>,
  onDone: () => void,
): (...given: Given) => Promise<unknown> {
  return async (...given) => {
    const result = await write(...given)
    onDone()
    return result
  }
}

/** Never the text of a mail, as links are secrets. */
function logMail({ log }: FastifyInstance, { result, ...about }: MailReport): void {
  if (result === 'sent') log.info(about, 'mail sent')
  else log.warn(about, result === 'tried' ? 'mail delayed' : `mail ${result}`)
}

/** Returns a function that closes the listener, and waits for requests but not for idle connections. */
function prepareClose(app: FastifyInstance): () => Promise<void> {
  const { connections } = app.draining
  return async () => {
    const closed = app.close()
    // Repeatedly: a kept-alive connection becomes idle when its request has been answered.
    const reaper = setInterval(() => {
      connections.closeUnused()
      app.server.closeIdleConnections()
    }, reapMilliseconds)
    await closed
    while (connections.open > 0) await wait(reapMilliseconds)
    clearInterval(reaper)
  }
}
