import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { type Config, ConfigError } from '../config.ts'
import { reasonOf } from '../errors.ts'

/**
 * A port that this process has before it serves on it, so that nothing is made for a server that cannot start. Connections
 * that come meanwhile wait.
 */
export interface HeldPort {
  readonly port: number
  /** Passes connections to a server that does not listen, those that wait too, until the port is handed over. */
  passTo(accept: (socket: Socket) => void): void
  /** Hands the port over to a server that does not listen yet, with the connections that wait. */
  giveTo(server: Server): Promise<void>
  /** Gives the port up. After it has been handed over, closing that server does most of it. */
  release(): void
}

/** The ports of a server. */
export interface HeldPorts {
  readonly api: HeldPort
  readonly metrics: HeldPort | undefined
}

/** Takes the ports that the settings name, all of them or none, or throws ConfigError. */
export async function holdPorts({
  port,
  host,
  metrics,
}: Pick<Config, 'port' | 'host' | 'metrics'>): Promise<HeldPorts> {
  const [api, own] = await Promise.allSettled([
    hold(port, host, { port: 'PORT', host: 'HOST' }),
    metrics && hold(metrics.port, metrics.host, { port: 'METRICS_PORT', host: 'METRICS_HOST' }),
  ])
  if (api.status === 'fulfilled' && own.status === 'fulfilled') return { api: api.value, metrics: own.value }
  const failures: unknown[] = []
  for (const outcome of [api, own]) {
    if (outcome.status === 'fulfilled') outcome.value?.release()
    else failures.push(outcome.reason)
  }
  const bug = failures.find((failure) => !(failure instanceof ConfigError))
  if (bug) throw bug
  throw new ConfigError(...failures.flatMap((failure) => (failure as ConfigError).refusals))
}

/** Names of the settings. */
interface Names {
  readonly port: string
  readonly host: string
}

async function hold(port: number, host: string, names: Names): Promise<HeldPort> {
  try {
    const first = await Holder.open(port, host)
    return new Held([first, ...(await holdOthers(first))])
  } catch (error) {
    throw new ConfigError(formatFailure(error, port, host, names))
  }

  /** The name localhost stands for an address of IPv4 and one of IPv6, where the machine has both. */
  async function holdOthers(first: Holder): Promise<readonly Holder[]> {
    if (host !== 'localhost') return []
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address)
    const others = addresses.filter((address) => address !== first.address.address)
    const opened = await Promise.allSettled(others.map((address) => Holder.open(first.address.port, address)))
    return opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  }
}

class Held implements HeldPort {
  readonly #holders: readonly [Holder, ...Holder[]]

  readonly port: number

  constructor(holders: readonly [Holder, ...Holder[]]) {
    this.#holders = holders
    this.port = holders[0].address.port
  }

  passTo(accept: (socket: Socket) => void): void {
    for (const holder of this.#holders) holder.pass(accept)
  }

  async giveTo(server: Server): Promise<void> {
    server.listen(this.#holders[0].server)
    await once(server, 'listening')
    this.passTo((socket) => server.emit('connection', socket))
    server.once('close', () => this.release())
  }

  release(): void {
    for (const holder of this.#holders) holder.close()
  }
}

/** Listens on one address; connections wait until there is something to pass them to. */
class Holder {
  readonly server = createServer()
  readonly #waiting: Socket[] = []
  #passTo = (socket: Socket): void => void this.#waiting.push(socket)

  static async open(port: number, host: string): Promise<Holder> {
    const holder = new Holder()
    // A connection that is reset while it waits is no failure of the server.
    holder.server.on('connection', (socket) => holder.#passTo(socket.on('error', () => {})))
    holder.server.listen({ port, host })
    await once(holder.server, 'listening')
    return holder
  }

  /** While it listens. */
  get address(): AddressInfo {
    return this.server.address() as AddressInfo
  }

  pass(to: (socket: Socket) => void): void {
    this.#passTo = to
    for (const socket of this.#waiting.splice(0)) to(socket)
  }

  close(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy()
    this.server.close(() => {})
  }
}

function formatFailure(error: unknown, port: number, host: string, names: Names): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'EADDRINUSE':
      return `The address ${host}:${port} is in use; set ${names.port} or ${names.host} to another one.`
    case 'EADDRNOTAVAIL':
      return `${names.host} is ${host}, which is no address of this machine.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${names.host} is ${host}, a name for which no address is found (${code}).`
    case 'EACCES':
      return `${names.port} is ${port}, on which this user may not listen; take one from 1024 on, such as 8080.`
    default:
      return `${names.port} ${port} and ${names.host} ${host} cannot be listened on: ${reasonOf(error)}.`
  }
}

/** The URL of a server that listens. */
export function urlOf(server: Server, scheme: 'http' | 'https'): string {
  const { address, port } = server.address() as AddressInfo
  return `${scheme}://${isIPv6(address) ? `[${address}]` : address}:${port}`
}
