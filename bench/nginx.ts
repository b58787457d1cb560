/** nginx with the example of deploy/ in front of servers. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../test/support/databases/postgres.ts'
import { NotMeasured } from './result.ts'
import { Folder, stop } from './servers.ts'

export interface Nginx extends AsyncDisposable {
  readonly port: number
}

export async function openNginx(checkout: string, ports: readonly number[]): Promise<Nginx> {
  const program = findProgram()
  const folder = new Folder()
  const port = await findFreePort()
  const example = readFileSync(join(checkout, 'deploy/nginx.conf'), 'utf8')
  const adapted = example
    .replace(/( +server )\S+:8080( .*;\n)( +server .*\n)*/, (_, before: string, after: string) =>
      ports.map((each) => `${before}127.0.0.1:${each}${after}`).join(''),
    )
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
  if (!ports.every((each) => adapted.includes(`:${each} `)) || !adapted.includes(`:${port};`)) {
    throw new Error(`deploy/nginx.conf has other lines than are replaced here:\n${adapted}`)
  }
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  for (const kind of kinds) mkdirSync(join(folder.path, kind))
  const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder.path, kind)};`).join('\n')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  // Settings from docs/proxy.md.
  const main = `daemon off; pid ${folder.path}/pid; ${user} worker_processes auto; events { worker_connections 8192; }`
  const file = join(folder.path, 'nginx.conf')
  writeFileSync(file, `${main}\nhttp {\naccess_log ${folder.path}/access.log;\n${paths}\n${adapted}}\n`)
  const words = ['-c', file, '-e', join(folder.path, 'error.log')]
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  await untilReady(port)
  return {
    port,
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      await stop(child)
      folder[Symbol.dispose]()
    },
  }
}

function findProgram(): string {
  try {
    const PATH = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`
    return execFileSync('/bin/sh', ['-c', 'command -v nginx'], { env: { PATH }, encoding: 'utf8' }).trim()
  } catch {
    throw new NotMeasured('not run: nginx is not installed')
  }
}

async function untilReady(port: number): Promise<void> {
  for (let patience = 500; patience > 0; patience -= 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.ok) return
    await delay(20)
  }
  throw new Error('nginx does not start.')
}
