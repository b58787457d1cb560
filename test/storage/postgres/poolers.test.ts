import { expect, test } from 'vitest'
import { openPool } from '../../../src/storage/postgres/session.ts'
import { command } from '../../cli/run-command.ts'
import { PgBouncer, pgbouncer } from '../../support/databases/pgbouncer.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { Folder } from '../../support/portal/process.ts'

const withPgBouncer = test.skipIf(!pgbouncer)
const skipped = pgbouncer ? '' : ' (not run: pgbouncer is not installed)'
const secret = 'a secret of the tests, long enough for a key'

const environmentOf = (url: string) => ({ DATABASE_URL: url, DATABASE_CONNECTIONS: '4', SECRET_KEY: secret })

withPgBouncer(
  `behind PgBouncer in session mode, with defaults otherwise, servers and commands work${skipped}`,
  async () => {
    const url = await emptyDatabase()
    await using pooler = await PgBouncer.open(url, 'pool_mode = session')
    const environment = environmentOf(pooler.url(url))
    await using portal = await startPortal({ environment })
    await using other = await startPortal({ environment })
    const [admin, same] = [await portal.admin(), await other.admin()]
    const groups = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? admin : same).post('/community/createGroup', { title: `Maps ${at}` }),
      ),
    )
    expect(groups.every(({ success }) => success)).toBe(true)
    // The timeouts hold in sessions that the pooler has opened.
    const pool = openPool(pooler.url(url), 1)
    const { rows } = await pool.query(
      "select current_setting('statement_timeout') as one, current_setting('idle_in_transaction_session_timeout') as two",
    )
    await pool.end()
    expect(rows).toEqual([{ one: '4500ms', two: '2s' }])
    using folder = new Folder()
    expect(await command(['backup', `${folder.path}/copy.db`], environment)).toMatchObject({ code: 0, complaint: '' })
    expect((await command(['doctor'], environment)).printed).toContain('can be read: PostgreSQL')
  },
)

withPgBouncer.each([
  { mode: 'transaction', order: 0 },
  { mode: 'transaction', order: 1 },
  { mode: 'statement', order: 0 },
])(
  `PgBouncer in $mode mode (server_round_robin=$order) is refused in one sentence${skipped}`,
  async ({ mode, order }) => {
    const url = await emptyDatabase()
    await using pooler = await PgBouncer.open(url, `pool_mode = ${mode}`, `server_round_robin = ${order}`)
    const sentence = `A pooler such as PgBouncer is between this program and PostgreSQL, in ${mode} mode (pool_mode=${mode}), which gives each ${mode} another session; set pool_mode=session for this database, or name PostgreSQL itself in DATABASE_URL.`
    const environment = environmentOf(pooler.url(url))
    await expect(startPortal({ environment })).rejects.toThrow(sentence)
    using folder = new Folder()
    const told = [
      await command([], { ...environment, PORT: '0' }),
      await command(['backup', `${folder.path}/copy.db`], environment),
      await command(['doctor'], environment),
    ].map(({ code, complaint, printed }) => ({ code, said: `${complaint}${printed}` }))
    for (const { code, said } of told) {
      expect(code).not.toBe(0)
      expect(said).toContain(sentence)
      expect(said).not.toMatch(/^ +at /m)
    }
  },
)

withPgBouncer(`a pool of one session is refused by what it has to have${skipped}`, async () => {
  const url = await emptyDatabase()
  await using pooler = await PgBouncer.open(url, 'pool_mode = session', 'default_pool_size = 1')
  await expect(startPortal({ environment: environmentOf(pooler.url(url)) })).rejects.toThrow(
    /gives it no second session: its pool \(default_pool_size of PgBouncer\) has to have DATABASE_CONNECTIONS and 2 more/,
  )
})
