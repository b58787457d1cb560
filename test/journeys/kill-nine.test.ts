import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { adminPassword } from '../support/portal.ts'
import { type CartularyProcess, Folder, serve } from '../support/process.ts'
import { aSchema } from '../support/schema-builder.ts'
import { seededRandom } from '../support/seeded-random.ts'

const rounds = 50
const groups = 4
const writersOfGroup = 2

/** One assign, with its place in the order of everything that the clients sent and were answered. */
interface Sending {
  readonly groupId: string
  readonly document: string
  readonly sentAt: number
  isAcknowledged: boolean
  /** When the answer came, or the process was gone. */
  settledAt: number
}

/** What the clients know: all that a server may be held to. */
class Ledger {
  readonly sendings: Sending[] = []
  #moments = 0

  send(groupId: string): Sending {
    const title = `Schema ${this.sendings.length + 1}`
    const categories = Array.from({ length: 20 }, (_, index) => ({
      title: `${title}, category ${index}`.replace(',', ''),
    }))
    const sending: Sending = {
      groupId,
      document: JSON.stringify(aSchema({ title, categories })),
      sentAt: this.#next(),
      isAcknowledged: false,
      settledAt: Number.POSITIVE_INFINITY,
    }
    this.sendings.push(sending)
    return sending
  }

  acknowledge(sending: Sending): void {
    sending.isAcknowledged = true
    sending.settledAt = this.#next()
  }

  /** Nothing that is still on its way can be written any more. */
  settleAll(): void {
    const now = this.#next()
    for (const sending of this.sendings) sending.settledAt = Math.min(sending.settledAt, now)
  }

  #next(): number {
    this.#moments += 1
    return this.#moments
  }
}

test(`a process that is killed ${rounds} times loses nothing that it acknowledged and leaves nothing half done`, {
  timeout: 180_000,
}, async () => {
  using folder = new Folder()
  const file = join(folder.path, 'portal.db')
  const start = () =>
    serve({
      folder: folder.path,
      environment: {
        DATABASE_URL: `file:${file}`,
        ADMIN_PASSWORD: adminPassword,
        // The first process ends by itself and leaves its compiled code behind: those after it start sooner.
        NODE_COMPILE_CACHE: join(folder.path, 'compiled'),
      },
    })
  const random = seededRandom(9)
  const ledger = new Ledger()

  await using first = await start()
  const token = await first.signIn('admin', adminPassword)
  const groupIds = await createGroups(first, token)
  await first.stop()

  let server = await start()
  try {
    for (let round = 0; round < rounds; round += 1) {
      await assignUntilKilled({ server, token, groupIds, ledger, random })
      server = await start()
      const read = (groupId: string) => readSchema(server, token, groupId)
      await requireTruth(file, groupIds, ledger, read)
    }
  } finally {
    await server.stop('SIGKILL')
  }
  const unanswered = ledger.sendings.filter(({ isAcknowledged }) => !isAcknowledged)
  expect(unanswered.length).toBeGreaterThan(rounds)
  expect(ledger.sendings.length - unanswered.length).toBeGreaterThan(10 * rounds)
})

interface Round {
  readonly server: CartularyProcess
  readonly token: string
  readonly groupIds: readonly string[]
  readonly ledger: Ledger
  random(): number
}

/** Several writers to each group, without a pause; after a random number of answers and a moment the process is killed. */
async function assignUntilKilled({ server, token, groupIds, ledger, random }: Round): Promise<void> {
  let answersToGo = 1 + Math.floor(random() * 40)
  let isKilled = false
  const enough = Promise.withResolvers<void>()

  async function write(groupId: string): Promise<void> {
    while (!isKilled) {
      const sending = ledger.send(groupId)
      const path = `/community/groups/${groupId}/assignCategorySchema`
      const parameters = { categorySchema: sending.document }
      const answer = await server.post(path, parameters, authorize(token)).catch((error: unknown) => {
        if (!isKilled) throw error
      })
      if (!answer) return
      expect(answer).toEqual({ success: true })
      ledger.acknowledge(sending)
      answersToGo -= 1
      if (answersToGo === 0) enough.resolve()
    }
  }

  const writers = groupIds.flatMap((groupId) => Array.from({ length: writersOfGroup }, () => write(groupId)))
  await Promise.race([enough.promise, ...writers])
  await delay(random() * 4)
  isKilled = true
  await server.stop('SIGKILL')
  await Promise.all(writers)
  ledger.settleAll()
}

/** Holds the database, and what is read from the server, against the ledger. */
async function requireTruth(
  file: string,
  groupIds: readonly string[],
  ledger: Ledger,
  read: (groupId: string) => Promise<string>,
): Promise<void> {
  using database = openReadOnly(file)
  expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(database.all('PRAGMA foreign_key_check')).toEqual([])
  const sendings = new Map(ledger.sendings.map((sending) => [sending.document, sending]))
  for (const groupId of groupIds) {
    const documents = database
      .all<{ document: string }>(
        "SELECT document FROM category_schema_versions WHERE owner_kind = 'group' AND owner_id = ? ORDER BY version",
        groupId,
      )
      .map(({ document }) => document)
    const kept = documents.map((document) => sendings.get(document))
    expect(kept.every((sending) => sending?.groupId === groupId)).toBe(true)
    expect(new Set(kept).size).toBe(kept.length)
    requireOrder(kept as Sending[])

    const sent = ledger.sendings.filter((sending) => sending.groupId === groupId)
    const lost = sent.filter((sending) => sending.isAcknowledged && !kept.includes(sending))
    expect(lost).toEqual([])

    const head = database.all('SELECT version, is_set FROM category_schemas WHERE owner_id = ?', groupId)
    expect(head).toEqual(documents.length > 0 ? [{ version: documents.length, is_set: 1 }] : [])
    const numbers = database.all<{ version: number }>(
      'SELECT version FROM category_schema_versions WHERE owner_id = ? ORDER BY version',
      groupId,
    )
    expect(numbers.map(({ version }) => version)).toEqual(documents.map((_, index) => index + 1))
    expect(await read(groupId)).toBe(documents.at(-1) ?? '{"categorySchema":[]}')

    const audited = database.all(
      `SELECT count(*) AS entries FROM audit
       WHERE operation = 'assignGroupCategorySchema' AND outcome = 200 AND instr(target, ?) > 0`,
      groupId,
    )
    expect(audited).toEqual([{ entries: documents.length }])
  }
}

/** What was answered before another was sent is an earlier version: so the last one is the last acknowledged or later. */
function requireOrder(kept: readonly Sending[]): void {
  let latestSent = 0
  for (const { sentAt, settledAt } of kept) {
    expect(settledAt).toBeGreaterThan(latestSent)
    latestSent = Math.max(latestSent, sentAt)
  }
}

function openReadOnly(file: string) {
  const database = new Database(file, { readonly: true })
  return {
    all: <Row>(statement: string, ...values: readonly string[]) => database.prepare(statement).all(...values) as Row[],
    [Symbol.dispose]: () => database.close(),
  }
}

function authorize(token: string): Readonly<Record<string, string>> {
  return { 'x-esri-authorization': `Bearer ${token}` }
}

async function createGroups(server: CartularyProcess, token: string): Promise<readonly string[]> {
  const groupIds: string[] = []
  for (let index = 0; index < groups; index += 1) {
    const answer = await server.post('/community/createGroup', { title: `Group ${index}` }, authorize(token))
    groupIds.push(answer.group.id)
  }
  return groupIds
}

async function readSchema(server: CartularyProcess, token: string, groupId: string): Promise<string> {
  const url = `${server.base}/community/groups/${groupId}/categorySchema?f=json`
  return (await fetch(url, { headers: authorize(token) })).text()
}
