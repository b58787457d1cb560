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

const reapMilliseconds = 50

/** A server that listens, or that tests inject requests into. */
export interface Server {
  readonly app: FastifyInstance
  readonly dependencies: OpenDependencies
  /** What the first start made; undefined where the database was not empty. */
  readonly firstRun: FirstRun | undefined
  /** Root of every absolute URL that is printed. */
  publicUrl(): string
  /** Where metrics are served; undefined where that is beside the API, or not yet. */
  metricsUrl(): string | undefined
  /** Starts to listen; answers the address it is reached at. */
  listen(): Promise<string>
  /** Lets requests in flight finish, then closes the database. */
  close(): Promise<void>
}

/** Opens storage, brings it up to date, makes the first organization where there is none, and builds the server. */
export async function openServer(config: Config, overrides: DependencyOverrides = {}): Promise<Server> {
  const tls = config.tls && readTls(config.tls)
  const dependencies = await openDependencies(config, overrides)
  const metrics = openMetrics(dependencies.storage)
  try {
    const firstRun = await prepareFirstRun(dependencies, config)
    let { port } = config
    let metricsUrl: string | undefined
    const publicUrl = () => config.publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${port}`
    const settings = { ...config, tls }
    const app = await createHttp({ ...dependencies, storage: metrics.storage }, settings, publicUrl)
    metrics.watch(app)
    const own = config.metrics && (await createMetricsHttp(metrics, settings, () => dependencies.random.id()))
    if (!own) metrics.serve(app)
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

/** How a listener is closed: without waiting for connections on which nothing happens. */
function prepareClose(app: FastifyInstance): () => Promise<void> {
  const silent = trackSilentConnections(app.server)
  return async () => {
    const closed = app.close()
    // Again and again: a connection that is kept alive becomes idle when its request has been answered.
    const reaper = setInterval(() => {
      for (const socket of silent.values()) socket.destroy()
      app.server.closeIdleConnections()
    }, reapMilliseconds)
    await closed.finally(() => clearInterval(reaper))
  }
}

/** Connections that have not sent a request yet, such as browsers open ahead: closing would wait for them. */
function trackSilentConnections(server: FastifyInstance['server']): ReadonlyMap<string, Socket> {
  const silent = new Map<string, Socket>()
  // By address, as a request over TLS comes with another socket than its connection.
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
