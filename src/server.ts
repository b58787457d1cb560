import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from './config.ts'
import { type DependencyOverrides, type OpenDependencies, openDependencies } from './dependencies.ts'
import { reasonOf } from './errors.ts'
import { type FirstRun, prepareFirstRun } from './first-run.ts'
import { createHttp } from './http/http.ts'
import { createMetricsHttp, openMetrics } from './http/telemetry/metrics.ts'
import { contextPathOf } from './http/transport/context-path.ts'
import type { LogLines } from './http/transport/log.ts'

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
  /** Starts listening; resolves with the address. */
  listen(): Promise<string>
  /** Finishes requests in flight, then closes the database. */
  close(): Promise<void>
}

/** Opens and migrates the storage, creates the first organization if there is none, and builds the server. */
export async function openServer(
  config: Config,
  { logLines, ...overrides }: DependencyOverrides & { readonly logLines?: LogLines | undefined } = {},
): Promise<Server> {
  const tls = config.tls && readTls(config.tls)
  const dependencies = await openDependencies(config, overrides)
  const metrics = openMetrics(dependencies.storage, dependencies.limitCounts, dependencies.backups)
  try {
    const firstRun = await prepareFirstRun(dependencies, config)
    let { port } = config
    let metricsUrl: string | undefined
    const publicUrl = () => config.publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${port}`
    const settings = { ...config, tls, logLines }
    const app = await createHttp({ ...dependencies, storage: metrics.storage }, settings, publicUrl)
    metrics.watch(app)
    metrics.showCertificate(() => tls?.cert)
    const own = config.metrics && (await createMetricsHttp(metrics, settings, dependencies))
    if (!own) metrics.serve(app, contextPathOf(publicUrl()))
    const closings = [app, ...(own ? [own] : [])].map(prepareClose)
    return {
      app,
      dependencies,
      firstRun,
      publicUrl,
      metricsUrl: () => metricsUrl,
      async listen() {
        if (own && config.metrics) metricsUrl = `${await listenForMetrics(own, config.metrics)}/metrics`
        const address = await app.listen({ port: config.port, host: config.host })
        port = (app.server.address() as AddressInfo).port
        return address
      },
      async close() {
        await Promise.all(closings.map((close) => close()))
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

async function listenForMetrics(app: FastifyInstance, place: NonNullable<Config['metrics']>): Promise<string> {
  try {
    return await app.listen(place)
  } catch (error) {
    throw new ConfigError(`METRICS_PORT and METRICS_HOST cannot be listened on: ${reasonOf(error)}.`)
  }
}

/** Returns a function that closes the listener without waiting for idle connections. */
function prepareClose(app: FastifyInstance): () => Promise<void> {
  const silent = trackSilentConnections(app.server)
  return async () => {
    const closed = app.close()
    // Repeatedly: a kept-alive connection becomes idle when its request has been answered.
    const reaper = setInterval(() => {
      for (const socket of silent.values()) socket.destroy()
      app.server.closeIdleConnections()
    }, reapMilliseconds)
    await closed.finally(() => clearInterval(reaper))
  }
}

/** Connections without a request so far, which browsers open in advance: `close` would wait for them. */
function trackSilentConnections(server: FastifyInstance['server']): ReadonlyMap<string, Socket> {
  const silent = new Map<string, Socket>()
  // Keyed by address: over TLS, a request has another socket object than its connection.
  const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    silent.set(address, socket)
    socket.once('close', () => silent.delete(address))
  })
  server.on('request', ({ socket }: { socket: Socket }) => {
    if (silent.size > 0) silent.delete(addressOf(socket))
  })
  return silent
}

function readTls({ certFile, keyFile }: NonNullable<Config['tls']>) {
  const pair = { cert: readPem('TLS_CERT_FILE', certFile), key: readPem('TLS_KEY_FILE', keyFile) }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT_FILE and TLS_KEY_FILE are not a certificate and its key in PEM: ${reasonOf(error)}.`,
    )
  }
  return pair
}

function readPem(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new ConfigError(`${name} is ${path}, which cannot be read: ${reasonOf(error)}.`)
  }
}
