import { join } from 'node:path'
import { queryFile, queryUrl } from '../support/databases/recorded.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { adminPassword, formEncode, startPortal, type TestPortal } from '../support/portal/portal.ts'
import type { CartularyProcess } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import type { Answered, Reach } from './observer.ts'

export const secret = 'a secret of the tests, long enough for a key'

/** The most connections of a server under test, besides the one that listens. */
export const connections = 4

/** Databases without rows, a file in a folder or one of PostgreSQL, and how their tables are read. */
export const engines = [
  {
    engine: 'SQLite',
    open: async (folder: string) => {
      const file = join(folder, 'portal.db')
      return { url: `file:${file}`, query: queryFile(file) }
    },
  },
  {
    engine: 'PostgreSQL',
    open: async () => {
      const url = await createDatabase()
      return { url, query: queryUrl(url) }
    },
  },
] as const

/** A server of this process on a PostgreSQL database. */
export function startOnPostgres(url: string): Promise<TestPortal> {
  return startPortal({
    environment: { DATABASE_URL: url, DATABASE_CONNECTIONS: String(connections), SECRET_KEY: secret },
  })
}

/** Opens every connection that it may have, and leaves them idle. */
export async function openEvery(portal: TestPortal): Promise<void> {
  const { storage } = portal.server.dependencies
  await until('every connection is open', async () => {
    await Promise.all(Array.from({ length: connections }, () => storage.ping()))
    return storage.figures().connections.idle === connections
  })
}

/** Client of the administrator, without a network. Many servers that start concurrently may be too slow for the first request. */
export async function reachPortal(portal: TestPortal): Promise<Reach> {
  let token: string | undefined
  await until('the administrator has a token', async () => {
    token = await portal.admin().then(
      (admin) => admin.token,
      () => undefined,
    )
    return token !== undefined
  })
  return {
    async post(path, parameters) {
      const headers = { ...formHeaders, 'x-esri-authorization': `Bearer ${token}` }
      return readInjected(await portal.inject({ method: 'POST', url: path, headers, payload: formEncode(parameters) }))
    },
    get: async (path) => readInjected(await portal.server.app.inject(path)),
  }
}

/** Reaches another process as an administrator. */
export async function reachProcess(server: CartularyProcess, username = 'admin'): Promise<Reach> {
  const token = await server.signIn(username, adminPassword)
  const headers = { ...formHeaders, 'x-esri-authorization': `Bearer ${token}` }
  return {
    async post(path, parameters) {
      try {
        const body = formEncode(parameters)
        return await readFetched(await fetch(`${server.base}${path}`, { method: 'POST', headers, body }))
      } catch (error) {
        // The error of fetch for a connection that is refused or cut off.
        if (error instanceof TypeError) return undefined
        throw error
      }
    },
    get: async (path) => readFetched(await fetch(`${server.url}${path}`)),
  }
}

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

type Injected = Awaited<ReturnType<TestPortal['inject']>>

function readInjected({ statusCode, headers, body }: Injected): Answered {
  return {
    status: statusCode,
    requestId: String(headers['x-request-id']),
    retryAfter: headers['retry-after']?.toString(),
    text: body,
  }
}

async function readFetched(response: Response): Promise<Answered> {
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    retryAfter: response.headers.get('retry-after') ?? undefined,
    text: await response.text(),
  }
}
