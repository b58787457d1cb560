import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Config, readConfig } from '../config.ts'
import { reasonOf } from '../errors.ts'
import { requireNoArguments } from './args.ts'
import { CommandFailed, type Terminal } from './output/terminal.ts'

/** A container is asked every 30 seconds; its check ends after 5 (chosen). */
const patienceMilliseconds = 4_000

/** Asks the server of these settings, on this machine, whether it is ready: the health check of a container. */
export async function healthCommand(args: readonly string[], { environment, print }: Terminal): Promise<void> {
  requireNoArguments(args)
  const config = readConfig(environment)
  if (config.port === 0) throw new CommandFailed('PORT is 0: a server on any free port cannot be found.', 2)
  const { status, body } = await ask(config).catch((error: unknown) => {
    throw new CommandFailed(`The server does not answer: ${reasonOf(error)}.`)
  })
  if (status !== 200) throw new CommandFailed(`The server is not ready (HTTP ${status}): ${body}`)
  print('The server is ready.')
}

/** The certificate is not verified: it names the public address, and not this one. */
function ask({ tls, host, port, publicUrl }: Config): Promise<{ readonly status: number; readonly body: string }> {
  const context = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')
  const path = `${context}/health/ready`
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const signal = AbortSignal.timeout(patienceMilliseconds)
  const options = { host: addressesOfAll[host] ?? host, port, path, signal, agent: false, rejectUnauthorized: false }
  const request = (tls ? requestHttps : requestHttp)(options, (response) => {
    let body = ''
    response.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    response.on('end', () => resolve({ status: response.statusCode!, body }))
    response.on('error', reject)
  })
  request.on('error', reject)
  request.end()
  return promise
}

/** Address of a server that listens on every one. */
const addressesOfAll: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
