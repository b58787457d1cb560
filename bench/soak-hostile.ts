/** Members of some kinds, in their own process that runs until it is ended. */
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Member } from './soak-honest.ts'
import { findKind, type Kind } from './soak-kinds.ts'

const { callers, first } = JSON.parse(process.argv[2]!) as {
  readonly callers: readonly (readonly [kind: string, member: Member])[]
  /** Number of the first request: invented usernames do not occur twice. */
  readonly first: number
}
// The honest users get the processor first.
setPriority(19)
const outcomes = new Map<string, number>()
let isOver = false
let number = first
// A timer, as connections that do not read do not keep the process alive.
setInterval(() => undefined, 60_000)
process.once('SIGTERM', () => {
  isOver = true
  process.stdout.write(`${JSON.stringify([...outcomes])}\n`, () => process.exit(0))
})

/** First local port of silent connections: with thousands of them, the system would search for a free port each time. */
const firstPort = 11_000
/** Silent connections that are opened per millisecond at first. */
const perMillisecond = 4

function count(kind: Kind, outcome: string): void {
  const name = `${kind.name}: ${outcome}`
  outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
}

const ways = { repeats: repeat, aborts: abort, deaf: beDeaf, silent: beSilent } as const

for (const [name, member] of callers) {
  const kind = findKind(name)
  const turn = { value: 0 }
  const next = () => {
    turn.value += 1
    number += 1
    return kind.next(member, kind.name.includes('guess') ? number : turn.value)
  }
  for (let connection = 0; connection < kind.connections; connection += 1) {
    const from = kind.addresses && {
      localAddress: `127.0.0.${2 + (connection % kind.addresses)}`,
      localPort: kind.way === 'silent' ? firstPort + connection : 0,
    }
    const open = (then: () => void) => connect({ port: member.port, host: '127.0.0.1', ...from }, then)
    void ways[kind.way]({ kind, open, next, at: connection })
  }
}
// The first line says that the members have begun, the second one has their results.
process.stdout.write('\n')

interface Attack {
  readonly kind: Kind
  readonly open: (then: () => void) => Socket
  readonly next: () => string
  /** Number of the connection. */
  readonly at: number
}

/** Sends the next request when an answer begins; reopens the connection when it is closed. */
async function repeat({ kind, open, next }: Attack): Promise<void> {
  while (!isOver) {
    await new Promise<void>((resolve) => {
      const socket = open(() => socket.write(next()))
      socket.setNoDelay(true)
      socket.on('data', (part) => {
        const text = part.toString('latin1')
        const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]
        if (status === undefined) return
        const code = /"error":\{"code":(\d+)/.exec(text)?.[1]
        count(kind, code === undefined ? status : `${code} refused`)
        socket.write(next())
      })
      socket.on('error', () => count(kind, 'connection failed'))
      socket.on('close', () => resolve())
    })
    await delay(20)
  }
}

/** Sends requests on a connection and does not read. */
async function beDeaf({ kind, open, next }: Attack): Promise<void> {
  while (!isOver) {
    await new Promise<void>((resolve) => {
      const socket = open(() => {
        socket.pause()
        socket.write(next().repeat(16))
      })
      socket.on('error', () => count(kind, 'connection failed'))
      socket.on('close', () => {
        count(kind, 'closed by the server')
        resolve()
      })
    })
    await delay(100)
  }
}

/** Resets the connection while it is answered. */
async function abort({ kind, open, next }: Attack): Promise<void> {
  while (!isOver) {
    const socket = open(() => {
      socket.write(next())
      setImmediate(() => socket.resetAndDestroy())
    })
    socket.on('error', () => undefined)
    count(kind, 'reset')
    await delay(10)
  }
}

/** Opens a connection, sends nothing, and reopens it when it is closed; the first ones are opened one after the other. */
async function beSilent({ kind, open, at }: Attack): Promise<void> {
  await delay(at / perMillisecond)
  while (!isOver) {
    await new Promise<void>((resolve) => {
      const socket = open(() => count(kind, 'opened'))
      socket.resume()
      socket.on('error', () => count(kind, 'connection failed'))
      socket.on('close', () => {
        count(kind, 'closed')
        resolve()
      })
    })
    await delay(20)
  }
}
