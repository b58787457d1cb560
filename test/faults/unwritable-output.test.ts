import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { adminPassword } from '../support/portal/portal.ts'
import { CartularyProcess, Folder } from '../support/portal/process.ts'
import { readScrape } from '../support/portal/scrape.ts'
import { until } from '../support/until.ts'
import { secret } from './servers.ts'
import { programs } from './small-disk.ts'

const environment = {
  DATABASE_URL: 'file:portal.db',
  SECRET_KEY: secret,
  ADMIN_PASSWORD: adminPassword,
  PORT: '0',
  ...programs,
}

const places = [
  ['a full disk', 'exec "$@" > /dev/full 2>&1'],
  [
    'a full pipe that is not read',
    'mkfifo out && exec 3<>out && dd if=/dev/zero of=out bs=4096 oflag=nonblock 2> /dev/null; exec "$@" >&3 2>&3',
  ],
] as const

test.concurrent.for(places)(
  'a server whose output is %s starts, answers and ends',
  async ([place, script], { expect }) => {
    using folder = new Folder()
    const through = ['/bin/sh', '-c', script, 'sh']
    await using server = new CartularyProcess({ folder: folder.path, environment, through })
    const file = join(folder.path, 'portal.db.address')
    let root = ''
    await until('it listens', () => {
      if (existsSync(file)) root = readFileSync(file, 'utf8').trim()
      return root !== '' || server.child.exitCode !== null
    })
    for (let again = 0; again < 3; again += 1) {
      expect((await fetch(`${root}/sharing/rest/info?f=json`)).status).toBe(200)
    }
    if (place === 'a full disk') {
      await until('lines are counted', async () => {
        const { series } = readScrape(await (await fetch(`${root}/metrics`)).text())
        return series.get('cartulary_log_lines_dropped_total')! >= 3
      })
    }
    expect((await server.stop()).code).toBe(0)
  },
)
