/**
 * Refuses every connection to another machine, before its name is looked up. Loaded into every worker of the tests, and into
 * every server that they start as a process.
 */
import { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

const mark = Symbol.for('no outbound connections')
/** And names that never lead anywhere (RFC 6761). */
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\]|0\.0\.0\.0|::|[\w.-]+\.invalid)$/
/** This machine has other addresses, too. */
const own = new Set(
  Object.values(networkInterfaces())
    .flat()
    .map(({ address }) => address),
)

if (!Socket.prototype[mark]) {
  const connect = Socket.prototype.connect
  Socket.prototype[mark] = true
  Socket.prototype.connect = function guarded(...given) {
    const [first, second] = Array.isArray(given[0]) ? given[0] : given
    const options =
      typeof first === 'object' ? first : { port: first, host: typeof second === 'string' ? second : undefined }
    const isLocal =
      options.path != null ||
      typeof first === 'string' ||
      loopback.test(options.host ?? 'localhost') ||
      own.has(options.host)
    if (isLocal) return connect.apply(this, given)
    throw new Error(`An outbound connection to ${options.host}:${options.port} was refused.`)
  }
}
