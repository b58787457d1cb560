/** Cost of sign-in pages: processor time, and memory that is not released. */
import { fire, type Outcome } from './load.ts'
import { processorTime, residentBytes } from './processes.ts'
import { figureOf, NotMeasured, type Row } from './result.ts'
import { type Server, startService } from './servers.ts'

const query = new URLSearchParams({
  client_id: 'arcgisonline',
  redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
  response_type: 'code',
})
const page = Buffer.from(`GET /sharing/rest/oauth2/authorize?${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`)

function showPage({ port }: Server, milliseconds: number, atLeast = 1): Promise<Outcome> {
  const isSuccess = (body: string) => body.includes('oAuthInfo')
  return fire({ port, connections: 32, milliseconds, atLeast, next: () => page, isSuccess })
}

/** Milliseconds of processor time for a page. */
const costOfPage: Row['measure'] = async (run) => {
  await using service = await startService(1, {}, run.checkout)
  if (processorTime(service) === undefined) throw new NotMeasured('This system does not tell it as Linux does.')
  await showPage(service, run.warmMilliseconds)
  const costs: number[] = []
  for (let number = 0; number < run.rounds; number += 1) {
    const before = processorTime(service)!
    const { requests } = await showPage(service, run.milliseconds)
    costs.push((processorTime(service)! - before) / requests / 1_000)
  }
  return figureOf(costs)
}

const pages = 10_000

/** MB by which the server has grown after this many pages, once it is warm. */
const growthByPages: Row['measure'] = async ({ rounds, warmMilliseconds, checkout }) => {
  await using service = await startService(1, {}, checkout)
  if (residentBytes(service) === undefined) throw new NotMeasured('This system does not tell it as Linux does.')
  await showPage(service, warmMilliseconds, pages)
  const growths: number[] = []
  for (let number = 0; number < Math.min(rounds, 3); number += 1) {
    const before = residentBytes(service)!
    await showPage(service, 0, pages)
    growths.push((residentBytes(service)! - before) / 1e6)
  }
  return figureOf(growths)
}

export const signInRows: readonly Row[] = [
  { name: 'sign-in: server CPU of a page', goal: 5, direction: 'at most', unit: 'ms', measure: costOfPage },
  { name: 'sign-in: growth by 10,000 pages', goal: 10, direction: 'at most', unit: 'MB', measure: growthByPages },
]
