import { describe, test } from 'vitest'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { connections, reachPortal, reachProcess, secret, startOnPostgres } from './stages.ts'
import { longestRefusal, type Reach, until, Witness } from './witness.ts'

describe.concurrent('servers that share a database', () => {
  test('go on without a failure when one of them is killed', async ({ expect }) => {
    using folder = new Folder()
    const url = await createDatabase()
    const environment = {
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: String(connections),
      SECRET_KEY: secret,
      ADMIN_PASSWORD: adminPassword,
    }
    await using first = await serve({ folder: folder.path, environment })
    await using second = await serve({ folder: folder.path, environment })
    await using third = await serve({ folder: folder.path, environment })
    const witness = await Witness.open(await reachProcess(first))
    const others = [await reachProcess(second), await reachProcess(third)]

    const counts = { done: 0, unanswered: 0, after: 0 }
    let isKilled = false
    const write = async (reach: Reach, mayBeCut: boolean) => {
      while (counts.after < 100) {
        for (const owner of witness.owners) {
          const outcome = await witness.assign(owner, reach)
          if (outcome === 'unanswered' && mayBeCut) {
            counts.unanswered += 1
            return
          }
          expect(outcome).toBe('done')
          counts.done += 1
          if (isKilled) counts.after += 1
        }
      }
    }
    const writing = Promise.all([
      ...Array.from({ length: 6 }, () => write(witness.reach, true)),
      ...others.flatMap((reach) => [write(reach, false), write(reach, false)]),
    ])
    await Promise.race([until('clients are at work', () => counts.done > 60), writing])
    await first.stop('SIGKILL')
    isKilled = true
    await writing
    expect(counts.unanswered).toBe(6)
    await witness.requireTruth((sql) => queryAt(url, sql))
  })

  test('write where one of them held a lock when its network fell silent', async ({ expect }) => {
    const url = await createDatabase()
    await using network = await FaultyNetwork.open(url)
    await using silent = await startOnPostgres(network.url)
    await using other = await startOnPostgres(url)
    const witness = await Witness.open(await reachPortal(silent))
    const reach = await reachPortal(other)
    expect(await witness.assign()).toBe('done')
    // New connections hear each statement once in its own words: the version is written under the lock of the head.
    network.cut()
    await until(
      'connections are open again',
      async () => (await silent.server.app.inject('/health/ready')).statusCode === 200,
    )
    const holding = network.silenceInsteadOf('insert into "category_schema_versions"')
    const held = witness.assign()
    await holding
    const begun = performance.now()
    const outcomes: string[] = []
    await until('the other server writes', async () => {
      const outcome = await witness.assign(witness.owners[0], reach)
      outcomes.push(outcome)
      return outcome === 'done'
    })
    const took = performance.now() - begun
    expect(took).toBeLessThan(longestRefusal)
    expect(await held).toBe('refused')
    await witness.requireTruth((sql) => queryAt(url, sql))
  })
})
