import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { startJobs } from '../../src/background/jobs.ts'
import { readConfig } from '../../src/config.ts'
import { openServer } from '../../src/server.ts'
import { houseOf } from '../support/portal/house.ts'

/** Documents whose shell blocks a reader pastes, one after the other, against a server of their own. */

export const walkPassword = 'correct horse battery staple'

export function readDocument(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

/** The shell blocks under a heading. */
export function shellBlocks(document: string, heading: string): readonly string[] {
  const section = document.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!)
}

/** The answers that a block shows. */
export const shownIn = (block: string) => [...block.matchAll(/^# → (.*)$/gm)].map(([, line]) => line!)

export async function startServer() {
  const server = await openServer(
    readConfig({ PORT: '0', DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: walkPassword, LOG_LEVEL: 'silent' }),
  )
  const api = `${await server.listen()}/sharing/rest`
  const endJobs = startJobs(houseOf({ server }))
  const close = async () => {
    await endJobs()
    await server.close()
  }
  return { api, [Symbol.asyncDispose]: close }
}

/** Runs a block in bash, pasted by a person, as one script. */
export function paste(block: string, environment: Readonly<Record<string, string>> = {}, folder?: string) {
  const env = { ...process.env, ...environment }
  return promisify(execFile)('bash', ['-uo', 'pipefail', '-c', block], { env, ...(folder && { cwd: folder }) })
}
