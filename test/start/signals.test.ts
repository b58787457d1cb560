import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'
import { makeCertificate } from '../support/portal/certificate.ts'
import { type CartularyProcess, Folder, serve } from '../support/portal/process.ts'

const memory = { DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: 'a long enough password' }

const program = fileURLToPath(new URL('../../bin/cartulary.mjs', import.meta.url))
/** Whether there is the program of util-linux that makes a terminal. */
const hasTerminals = spawnSync('script', ['--version']).status === 0

/** Whether the system shows which process started which. */
const hasProcesses = existsSync('/proc/self/stat')

function messagesOf(server: CartularyProcess): readonly unknown[] {
  return server.log.map(({ message }) => message)
}

/** The certificate that a server presents, in PEM without its frame. */
async function presented(url: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return raw.toString('base64')
}

function contentOf(cert: string): string {
  return cert.replace(/-----.*-----|\s/g, '')
}

describe.concurrent('a server', () => {
  test('takes a renewed certificate at SIGHUP, keeps the present one where the new one is broken, and goes on', async ({
    expect,
  }) => {
    using folder = new Folder()
    const [certFile, keyFile] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')]
    const write = ({ cert, key }: { cert: string; key: string }) => {
      writeFileSync(certFile, cert)
      writeFileSync(keyFile, key)
    }
    const [first, second] = [makeCertificate('localhost'), makeCertificate('localhost', '200101', '390131')]
    write(first)
    const environment = { ...memory, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }
    await using server = await serve({ folder: folder.path, environment })
    expect(await presented(server.url)).toBe(contentOf(first.cert))
    write({ cert: second.cert, key: first.key })
    server.child.kill('SIGHUP')
    await server.wrote(/is kept, as the new one cannot be used: TLS_KEY_FILE is/)
    expect(await presented(server.url)).toBe(contentOf(first.cert))
    write(second)
    server.child.kill('SIGHUP')
    await server.wrote(/The certificate was renewed/)
    expect(await presented(server.url)).toBe(contentOf(second.cert))
    expect(server.log.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect((await server.stop()).code).toBe(0)
  })

  test('goes on at SIGHUP without a certificate, and says so', async ({ expect }) => {
    using folder = new Folder()
    await using server = await serve({ folder: folder.path, environment: memory })
    server.child.kill('SIGHUP')
    await server.wrote(/SIGHUP renews the certificate, and there is none/)
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
    expect((await server.stop()).code).toBe(0)
  })

  test.for(['SIGTERM', 'SIGINT'] as const)('logs its orderly end at %s', async (signal, { expect }) => {
    using folder = new Folder()
    await using server = await serve({ folder: folder.path, environment: memory })
    expect(await server.stop(signal)).toMatchObject({ code: 0, err: '' })
    expect(messagesOf(server).slice(-2)).toEqual([
      `Asked to end by ${signal}: requests in flight are answered, and no others are taken.`,
      'Ended: the requests are answered and the database is closed.',
    ])
  })

  test.skipIf(!hasTerminals)('goes on when its terminal is closed', async ({ expect, onTestFinished }) => {
    using folder = new Folder()
    const words = ['-qec', `echo "pid $$"; exec '${process.execPath}' '${program}'`, '/dev/null']
    const terminal = spawn('script', words, {
      cwd: folder.path,
      env: { ...memory, PORT: '0', PATH: process.env['PATH'] },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let out = ''
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    while (!/is ready at \S+,/.test(out)) await once(terminal.stdout, 'data')
    const pid = Number(/pid (\d+)/.exec(out)?.[1])
    onTestFinished(() => void process.kill(pid, 'SIGKILL'))
    const url = /is ready at (\S+),/.exec(out)![1]
    terminal.kill('SIGKILL')
    await once(terminal, 'exit')
    // Each is logged, to a terminal that is no more.
    for (let requests = 0; requests < 5; requests += 1) {
      expect((await fetch(`${url}/sharing/rest?f=json`)).status).toBe(200)
    }
  })

  // A shell that waits, as that of npm does; and npm itself, which leaves that shell behind.
  const starters = {
    'the shell that npm started': ['sh', '-c', '"$0" "$1" & wait', process.execPath, program],
    npm: ['npm', 'start'],
  } as const

  test.for(['the shell that npm started', ...(hasProcesses ? (['npm'] as const) : [])] as const)(
    'ends in order when %s was killed',
    async (what, { expect, onTestFinished }) => {
      using folder = new Folder()
      const start = `'${process.execPath}' '${program}'; true`
      writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ scripts: { start } }))
      const [name, ...words] = starters[what]
      const starter = spawn(name, words, {
        cwd: folder.path,
        env: { ...memory, PORT: '0', PATH: process.env['PATH'], npm_lifecycle_event: 'start' },
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let out = ''
      starter.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      onTestFinished(() => {
        // Kills the process group of the starter, which the server is in.
        if (!starter.stdout.closed) process.kill(-starter.pid!, 'SIGKILL')
      })
      while (!out.includes('is ready at')) await once(starter.stdout, 'data')
      starter.kill('SIGKILL')
      // The server has the other end of the pipe: it closes when the server has ended.
      await once(starter.stdout, 'close')
      expect(out).toContain('Asked to end by the end of npm')
      expect(out).toContain('Ended: the requests are answered and the database is closed.')
    },
  )
})
