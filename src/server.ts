import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, SettingRefused } from './config.ts'
import { type FirstRun, prepareFirstRun } from './first-run.ts'
import { createHttp } from './http/http.ts'
import { type OpenPorts, openPorts, type Surroundings } from './open-ports.ts'

/** A server that listens, or that tests inject requests into. */
export interface Server {
  readonly app: FastifyInstance
  readonly ports: OpenPorts
  /** What the first start made; undefined where the database was not empty. */
  readonly firstRun: FirstRun | undefined
  /** Root of every absolute URL that is printed. */
  publicUrl(): string
  /** Starts to listen; answers the address it is reached at. */
  listen(): Promise<string>
  /** Lets requests in flight finish, then closes the database. */
  close(): Promise<void>
}

/** Opens storage, brings it up to date, makes the first organization where there is none, and builds the server. */
export async function openServer(config: Config, surroundings: Surroundings = {}): Promise<Server> {
  const tls = config.tls && {
    cert: readPem('TLS_CERT_FILE', config.tls.certFile),
    key: readPem('TLS_KEY_FILE', config.tls.keyFile),
  }
  const ports = await openPorts(config, surroundings)
  try {
    const firstRun = await prepareFirstRun(ports, config)
    let { port } = config
    const publicUrl = () => config.publicUrl ?? `${tls ? 'https' : 'http'}://localhost:${port}`
    const app = await createHttp(ports, { ...config, tls }, publicUrl)
    return {
      app,
      ports,
      firstRun,
      publicUrl,
      async listen() {
        const address = await app.listen({ port: config.port, host: config.host })
        port = (app.server.address() as AddressInfo).port
        return address
      },
      async close() {
        await app.close()
        await ports.storage.close()
      },
    }
  } catch (error) {
    await ports.storage.close()
    throw error
  }
}

function readPem(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingRefused(`${name} is ${path}, which cannot be read: ${reason}.`)
  }
}
