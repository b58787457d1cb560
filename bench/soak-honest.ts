/** Users who mostly read, and sometimes assign, search, or read their own profile. */
import { type Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** A member with a group, on one of the servers. */
export interface Member {
  readonly username: string
  readonly port: number
  readonly token: string
  readonly groupId: string
}

/** Answers to honest users in one kind of phase, over all its turns. */
export interface Phase {
  /** Milliseconds of each answered request, by kind. */
  readonly times: Map<string, number[]>
  /** Numbers of requests without the expected answer, by reason. */
  readonly failures: Map<string, number>
}

export function openPhase(): Phase {
  return { times: new Map(), failures: new Map() }
}

/** Sender of requests; anonymous without a token. */
type Sender = Pick<Honest, 'agent'> & { readonly member: Pick<Member, 'port' | 'token'> }
export type Form = Readonly<Record<string, string>>

export interface Honest {
  readonly member: Member
  readonly agent: Agent
  /** Title of the last schema whose assignment was acknowledged; undefined while one is under way. */
  written: string | undefined
}

/** Maximum pause of an honest user between two requests, in milliseconds. */
const maxPause = 60

/** Sends requests until `end`, on the clock of `performance.now()`. */
export async function beHonest(honest: Honest, phase: Phase, random: () => number, end: number): Promise<void> {
  const group = `/community/groups/${honest.member.groupId}`
  const ask = (what: string, path: string, form?: Form) => askOnce(honest, phase, what, path, form)
  while (performance.now() < end) {
    await delay(random() * maxPause)
    const kind = random()
    if (kind < 0.15) {
      const title = `Categories ${Math.floor(random() * 1e9)}`
      const categorySchema = JSON.stringify({ categorySchema: [{ title, categories: [{ title: 'Land' }] }] })
      // Without an acknowledgement, either of the two schemas may be stored.
      honest.written = undefined
      if (await ask('assign', `${group}/assignCategorySchema`, { categorySchema })) honest.written = title
    } else if (kind < 0.2) await ask('search', '/community/groups?q=member&num=10')
    else if (kind < 0.25) await ask('self', '/community/self')
    else await ask('read', `${group}/categorySchema`)
  }
}

/** Sends a request and records its time or its failure; returns whether it succeeded. */
export async function askOnce(sender: Sender, phase: Phase, what: string, path: string, form?: Form): Promise<boolean> {
  const begun = performance.now()
  const answer = await send(sender, path, form).catch((error: Error) => ({ error: { message: error.message } }))
  const failure = 'error' in answer ? (answer.error as { message: string }).message : undefined
  if (failure === undefined) addTo(phase.times, what, performance.now() - begun)
  else phase.failures.set(`${what}: ${failure}`, (phase.failures.get(`${what}: ${failure}`) ?? 0) + 1)
  return failure === undefined
}

function addTo(times: Map<string, number[]>, what: string, milliseconds: number): void {
  const known = times.get(what)
  if (known) known.push(milliseconds)
  else times.set(what, [milliseconds])
}

/** Whether the group has another schema than the one whose assignment was acknowledged. */
export async function isLost(honest: Honest): Promise<boolean> {
  if (honest.written === undefined) return false
  const answer = await send(honest, `/community/groups/${honest.member.groupId}/categorySchema`)
  return !JSON.stringify(answer).includes(`"${honest.written}"`)
}

function send({ member: { port, token }, agent }: Sender, path: string, form?: Form): Promise<Record<string, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
  const body = form && new URLSearchParams(form).toString()
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const sent = request(
    { port, host: '127.0.0.1', agent, path: `/sharing/rest${path}`, method: body ? 'POST' : 'GET', headers },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      // No effect after `end`: the promise is settled then.
      response.on('close', () => reject(new Error('The connection was closed within the answer.')))
      response.on('end', () => {
        try {
          resolve(JSON.parse(text))
        } catch {
          reject(new Error('The answer is no JSON.'))
        }
      })
    },
  )
  sent.once('error', reject)
  sent.end(body)
  return promise
}
