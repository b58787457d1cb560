import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../bin/cartulary.mjs', import.meta.url))
const fromSources = new URL('../support/portal/from-sources.mjs', import.meta.url).href

/** Notes what is loaded, of Node too, and says it when the process ends. */
const noting = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
  process.on('exit', () => process.stdout.write(JSON.stringify([...loaded, ...process.moduleLoadList]) + '\\n'))
`)}`

/** Packages, files of ours below `src`, and modules of Node, that a server in memory has loaded when it is ready. */
async function loadedByStart(): Promise<readonly string[]> {
  const server = spawn(
    process.execPath,
    ['--import', fromSources, '--import', noting, program, '--ephemeral', '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let out = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  while (!out.includes('\n')) await once(server.stdout, 'data')
  server.kill()
  await once(server.stdout, 'close')
  const urls = JSON.parse(out.trimEnd().split('\n').at(-1)!) as readonly string[]
  return urls.map((url) => url.replace(/.*\/node_modules\//, '').replace(/.*\/src\//, 'src/'))
}

test('a start loads no package that it does not use: no validator, no driver of another database, no reader of files, no client of an identity provider', async () => {
  const loaded = await loadedByStart()
  expect(loaded).toEqual(expect.arrayContaining([expect.stringMatching(/^fastify\//), 'src/http/http.ts']))
  expect(
    loaded.filter((path) => /^(ajv|fast-uri|pg|pg-types|pg-protocol|oxigraph|openid-client|oauth4webapi)\//.test(path)),
  ).toEqual([])
  expect(
    loaded.filter((path) => /^src\/(storage\/postgres|cli\/(doctor|backups\/(backup|restore)\.ts))/.test(path)),
  ).toEqual([])
  // Node loads its client of HTTP and WebSockets with the first import of node:http, and not where it is required.
  expect(loaded).toContain('NativeModule http')
  expect(loaded.filter((path) => path.includes('undici'))).toEqual([])
})
