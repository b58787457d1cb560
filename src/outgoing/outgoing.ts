import { X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP, connect as netConnect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createSecureContext, getCACertificates } from 'node:tls'
import { ConfigError } from '../config.ts'
import { reasonOf } from '../errors.ts'
import type { AllowedHost } from '../settings/webhooks.ts'
import type { Clock } from './answer.ts'
import { type LookUp, openGate, parseAddress, problems, type RefusedPlaces } from './gate.ts'
import { type Outcome, type OutgoingRequest, post } from './post.ts'

/** Milliseconds that an address that is to be stored is looked up. */
const lookUpTimeout = 2_000

/** The network as a server sees it, as an argument. */
export interface Network {
  /** All addresses of a name; an error or none where there are none. */
  resolve(name: string): Promise<readonly string[]>
  connect(address: string, port: number): Socket
  /** Addresses of this machine. */
  listOwnAddresses(): readonly string[]
}

export interface OutgoingOptions {
  readonly allowedHosts: readonly AllowedHost[]
  readonly refused: RefusedPlaces
  /** Certificates in PEM of authorities besides those of the system. */
  readonly authorities?: string | undefined
  readonly network?: Network
  readonly clock?: Clock
}

/** Requests to addresses that people have chosen. */
export interface Outgoing {
  /** The sentence why an address may not be stored; undefined for one that may. Nothing is requested. */
  findRefusal(url: string): Promise<string | undefined>
  /** Sends one request, if the address is allowed. Never throws for what the network or the receiver does. */
  post(request: OutgoingRequest): Promise<Outcome>
}

const systemNetwork: Network = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  connect: (host, port) => netConnect({ host, port }),
  listOwnAddresses: () => Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)),
}

const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

export function openOutgoing(options: OutgoingOptions): Outgoing {
  const { allowedHosts, refused, authorities, network = systemNetwork, clock = systemClock } = options
  const gate = openGate(allowedHosts, refused, () => network.listOwnAddresses())
  const ca = authorities === undefined ? undefined : [...getCACertificates('default'), authorities]
  const secureContext = createSecureContext({ ca })
  const connect = network.connect.bind(network)

  const lookUp: LookUp = async (host) => (isIP(host) > 0 ? [host] : await network.resolve(host).catch(() => []))

  const lookUpShortly: LookUp = (host) =>
    new Promise((resolve) => {
      const cancel = clock.after(lookUpTimeout, () => resolve([]))
      lookUp(host).then(resolve).then(cancel)
    })

  return {
    async findRefusal(text) {
      const url = parseAddress(text)
      if (typeof url === 'string') return problems[url]()
      const { problem, host } = await gate(url, lookUpShortly)
      return problem && problems[problem](host)
    },
    post: (request) => post(request, { gate, lookUp, connect, secureContext, clock }),
  }
}

/** Certificates of the file, in PEM; ConfigError where there are none, or one that is malformed. */
export function readAuthorities(file: string): string {
  try {
    const text = readFileSync(file, 'utf8')
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? ['']
    return blocks.map((block) => new X509Certificate(block).toString()).join('')
  } catch (error) {
    throw new ConfigError(`WEBHOOK_CA_FILE is ${file}, which has no certificates in PEM: ${reasonOf(error)}.`)
  }
}
