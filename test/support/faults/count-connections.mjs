/** Writes every connection that the process opens, to whatever place, to its standard error. */
import { Socket } from 'node:net'

const connect = Socket.prototype.connect
Socket.prototype.connect = function counted(...given) {
  process.stderr.write('opens a connection\n')
  return connect.apply(this, given)
}
