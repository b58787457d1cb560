/**
 * Maximum time for which one request occupies the serving thread: each endpoint with the largest input that the limits allow.
 * While a request is answered, the event loop of the same thread measures its longest turn.
 */

import { readConfig } from '../src/config.ts'
import { endpointTable } from '../src/http/endpoints/table.ts'
import { openServer, type Server } from '../src/server.ts'
import { figureOf, type Result, type Run } from './result.ts'
import { Folder } from './servers.ts'
import { openWorld, type World, type Worst } from './worst-world.ts'

/** Milliseconds that no request may take on the serving thread. */
const max = 20
/** Milliseconds after which a request is not tried again. */
const maxTriedMilliseconds = 500

const form = 'application/x-www-form-urlencoded'

export async function* measureWorst(run: Run): AsyncIterable<Result> {
  using folder = new Folder()
  const environment = {
    ...folder.environment,
    ADMIN_PASSWORD: 'correct horse battery staple',
    LOG_LEVEL: 'silent',
    LIMIT_GROUPS_OWNED: '20000',
    LIMIT_MEMBERSHIPS: '20000',
    LIMIT_REFUSALS_RECORDED: '1000000',
  }
  const server = await openServer(readConfig(environment))
  try {
    console.log('Filling a database …')
    const world = await openWorld(server, folder, run.maxRows)
    for (const worst of [...listReads(world), ...listWrites(world), ...listForms(world), ...listHeaders(world)]) {
      if (worst.name.includes(run.only)) yield await measure(server, worst, run.rounds)
    }
  } finally {
    await server.close()
  }
}

/** Requests every resource with the largest content, in each format. */
function listReads(world: World): readonly Worst[] {
  const searches = [
    '',
    `?q=${'e'.repeat(98)}x`,
    `?q=${Array(10)
      .fill(`${'e'.repeat(97)}x`)
      .join('%20')}`,
  ]
  const paths = endpointTable
    .filter(({ effect }) => effect === 'none')
    .flatMap(({ id, path }) => {
      const place = world.fill(path)
      if (id === 'searchGroups') return searches.map((query) => `${place}${query}${query ? '&' : '?'}num=100`)
      return [`${place}?num=100`]
    })
  return paths.flatMap((path) =>
    (['json', 'pjson', 'html'] as const).map((format) => ({
      name: `${path.replaceAll(/e{50,}/g, 'e…').slice(0, 60)} ${format}`,
      method: 'GET' as const,
      path: `${path}&f=${format}`,
      token: world.token,
    })),
  )
}

/** Calls every operation with a megabyte of unknown parameters, and those with documents. */
function listWrites(world: World): readonly Worst[] {
  const unknown = Array.from({ length: 999 }, (_, number) => `${number}=${'%41'.repeat(340)}`).join('&')
  const flooded = endpointTable.map(({ id, path }) => ({
    name: `${id}: 999 unknown parameters`,
    method: 'POST' as const,
    path: world.fill(path.replace(/\/delete.*/, '/none')),
    token: world.token,
    type: form,
    body: unknown,
  }))
  const documents = Object.entries(world.documents).flatMap(([kind, text]) =>
    world.documentPlaces.flatMap(({ path, parameter }) =>
      [world.token, world.viewerToken].map((token) => ({
        name: `${parameter}: ${kind}${token === world.token ? '' : ', who may not'}`,
        method: 'POST' as const,
        path,
        token,
        ...(parameter === 'categorySchema'
          ? { type: 'application/json', body: text }
          : { type: form, body: `${parameter}=${encodeURIComponent(text).slice(0, 1_000_000)}` }),
      })),
    ),
  )
  return [...flooded, ...documents, ...world.writes]
}

/** Sends bodies that are read before the caller is known. */
function listForms(world: World): readonly Worst[] {
  const path = world.fill('/portals/:portalId/assignCategorySchema')
  const part = (number: number) => `--b\r\ncontent-disposition: form-data; name="p${number}"\r\n\r\n\r\n`
  const parts = Array.from({ length: 16_000 }, (_, number) => part(number)).join('')
  return [
    { name: 'a million &', method: 'POST', path, type: form, body: '&'.repeat(1024 * 1024) },
    { name: 'half a million names', method: 'POST', path, type: form, body: 'a&'.repeat(512 * 1024) },
    { name: 'a megabyte of %41', method: 'POST', path, type: form, body: `a=${'%41'.repeat(349_000)}` },
    {
      name: '16,000 parts',
      method: 'POST',
      path,
      type: 'multipart/form-data; boundary=b',
      body: `${parts}--b--\r\n`,
    },
    { name: 'a megabyte of brackets', method: 'POST', path, type: 'application/json', body: '['.repeat(1024 * 1024) },
  ]
}

function listHeaders(world: World): readonly Worst[] {
  const path = '/info'
  return [
    { name: 'Accept of 250,000 commas', method: 'GET', path, headers: { accept: ','.repeat(250_000) } },
    { name: 'a path of 250,000 characters', method: 'GET', path: `/${'a'.repeat(250_000)}?f=html` },
    { name: 'a query of 250,000 characters', method: 'GET', path: `/info?${'a&'.repeat(125_000)}` },
    {
      name: 'If-None-Match of 120,000 tags',
      method: 'GET',
      path: `${world.fill('/portals/:portalId/categorySchema')}?token=${world.token}`,
      headers: { 'if-none-match': '"a",'.repeat(60_000) },
    },
  ]
}

/** The shortest of several tries counts: other load on the machine can only add to it. */
async function measure({ app, publicUrl }: Server, worst: Worst, tries: number): Promise<Result> {
  const times: number[] = []
  let outcome = ''
  for (let number = 0; number < tries; number += 1) {
    const longest = watchTurns()
    const { statusCode, rawPayload } = await app.inject({
      method: worst.method,
      url: `${new URL(publicUrl()).pathname.replace(/\/$/, '')}/sharing/rest${worst.path}`,
      headers: {
        ...(worst.type === undefined ? {} : { 'content-type': worst.type }),
        ...(worst.token === undefined ? {} : { authorization: `Bearer ${worst.token}` }),
        ...worst.headers,
      },
      ...(worst.body === undefined ? {} : { payload: worst.body }),
    })
    times.push(await longest())
    if (times.at(-1)! > maxTriedMilliseconds) number = tries
    outcome = `HTTP ${statusCode}, ${Math.ceil(rawPayload.length / 1024).toLocaleString('en')} KiB`
  }
  const { value: _, ...figure } = figureOf(times)
  const value = figure.min
  const row = { name: worst.name, goal: max, direction: 'at most', unit: 'ms' } as const
  return { ...row, ...figure, value, remark: outcome, verdict: value <= max ? 'met' : 'missed' }
}

/** Begins to measure the turns of the event loop; the returned function ends it and returns the longest in milliseconds. */
function watchTurns(): () => Promise<number> {
  let longest = 0
  let last = performance.now()
  let isOver = false
  const turn = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return () =>
    new Promise((resolve) =>
      setImmediate(() => {
        isOver = true
        turn()
        resolve(longest)
      }),
    )
}
