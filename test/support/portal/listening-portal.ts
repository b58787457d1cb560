import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ArcGISIdentityManager } from '@esri/arcgis-rest-request'
import type { Server } from '../../../src/server.ts'
import { adminPassword, startPortal, TestPortal } from './portal.ts'

/** A request as it came off the wire. */
export interface Arrival {
  readonly method: string
  /** URL with its query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/**
 * A portal that real clients reach on a free port of this machine, under the default PUBLIC_URL.
 * Its clock starts at the present: clients compare a token's end with their own clock. Closes itself.
 */
export async function startListeningPortal(
  environment: Readonly<Record<string, string>> = {},
): Promise<ListeningPortal> {
  const started = await startPortal({ environment: { PUBLIC_URL: '', PORT: '0', ...environment } })
  started.clock.now = Date.now()
  await started.server.listen()
  return new ListeningPortal(started.server, started.clock)
}

export class ListeningPortal extends TestPortal {
  /** Root of the API: what clients call the portal. */
  readonly url: string
  readonly arrivals: Arrival[] = []

  constructor(server: Server, clock: { now: number }) {
    super(server, clock)
    this.url = `${server.publicUrl()}/sharing/rest`
    server.app.server.on('request', this.#noteArrival)
  }

  readonly #noteArrival = ({ method = '', url = '', headers }: IncomingMessage): void => {
    this.arrivals.push({ method, url, headers })
  }

  /** The latest arrival. */
  get lastArrival(): Arrival {
    const arrival = this.arrivals.at(-1)
    if (!arrival) throw new Error('Nothing has arrived yet.')
    return arrival
  }

  /** A user who signed in with the real client, which keeps the password. */
  identity(username = 'admin', password = adminPassword): Promise<ArcGISIdentityManager> {
    return ArcGISIdentityManager.signIn({ username, password, portal: this.url })
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.server.app.server.off('request', this.#noteArrival)
    await super[Symbol.asyncDispose]()
  }

  /** Identity of a new user of the first organization. */
  async newIdentity(username: string, role = 'org_user'): Promise<ArcGISIdentityManager> {
    await this.user(username, role)
    return this.identity(username)
  }
}
