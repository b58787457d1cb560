// Preloaded into a command: kills its process before the statement that KILL_AT counts to.
import Database from 'better-sqlite3'
import pg from 'pg'

let left = Number(process.env.KILL_AT)

/** Calls of a method count as statements. */
function countCalls(prototype, method) {
  const original = prototype[method]
  prototype[method] = function (...parameters) {
    left -= 1
    if (left <= 0) process.kill(process.pid, 'SIGKILL')
    return original.apply(this, parameters)
  }
}

countCalls(pg.Client.prototype, 'query')
const database = new Database(':memory:')
const statement = Object.getPrototypeOf(database.prepare('select 1'))
database.close()
for (const method of ['run', 'all', 'get']) countCalls(statement, method)
