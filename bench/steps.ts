/**
 * Processor time of the steps of one assignment of a category schema: `node bench/steps.ts`. Each is measured
 * separately, for a large and for a small request, as the median of short alternating rounds.
 *
 * After them, what the limiter takes to let a request begin, or to refuse one, while requests of so many users wait.
 *
 * A change is judged by the figures before and after it, both from the same machine and the same time.
 */
import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { groupLimits } from '../src/categories/limits.ts'
import { judgeSchema } from '../src/categories/schema.ts'
import { findToken } from '../src/http/decoding/bearer-token.ts'
import { decodeForm } from '../src/http/decoding/form.ts'
import { readRequestParameters } from '../src/http/decoding/request-parameters.ts'
import { judgedJson } from '../src/http/endpoints/parameter-types.ts'
import { readValues } from '../src/http/endpoints/parameter-values.ts'
import { boundsOf } from '../src/http/requests/bounds.ts'
import { openLimiter, type Place } from '../src/http/requests/limiter.ts'
import { countLimits, defaultLimits } from '../src/limits.ts'

/** A request in the forms that it takes during processing. */
interface Sample {
  readonly schema: string
  /** The schema with its members in another order than clients send. */
  readonly reordered: string
  /** The schema with indentation. */
  readonly spaced: string
  readonly body: Buffer
}

interface Step {
  readonly name: string
  /** Purpose of the figure. */
  readonly reason: string
  work(sample: Sample): unknown
}

const parameters = { categorySchema: judgedJson('') }

const steps: readonly Step[] = [
  {
    name: 'decode the form',
    reason: 'the only look at every byte of the body',
    work: ({ body }) => decodeForm(body),
  },
  {
    name: 'read the parameters',
    reason: 'decoding included: the rest is paid by every request',
    async work({ body }) {
      const params = await readRequestParameters({ query: '', contentType, body, bareBody: 'categorySchema' })
      return [findToken(params, {}), readValues(parameters, params)]
    },
  },
  {
    name: 'judge a plain schema',
    reason: 'what nearly all clients send',
    work: ({ schema }) => judgeSchema(schema, groupLimits),
  },
  {
    name: 'judge a reordered schema',
    reason: 'compact, but not plain: has to be parsed and written again',
    work: ({ reordered }) => judgeSchema(reordered, groupLimits),
  },
  {
    name: 'judge a spaced schema',
    reason: 'written by hand: has to be searched for repeated members too',
    work: ({ spaced }) => judgeSchema(spaced, groupLimits),
  },
  {
    name: 'JSON.parse alone',
    reason: 'a measure of the machine, to compare figures by',
    work: ({ schema }) => JSON.parse(schema),
  },
]

const contentType = 'application/x-www-form-urlencoded'
const token = 'YW4gb3BhcXVlIHRva2VuLCAyNTYgcmFuZG9tIGJpdHM'

function sampleOf(trees: number, leaves: number): Sample {
  const write = (order: readonly string[], space?: number) =>
    JSON.stringify(
      {
        categorySchema: Array.from({ length: trees }, (_, tree) => ({
          title: `Tree ${tree}`,
          categories: Array.from({ length: leaves }, (_, leaf) => {
            const members: Record<string, string> = {
              title: `Category ${tree} ${leaf}`,
              description: 'What belongs here',
            }
            return Object.fromEntries(order.map((member) => [member, members[member]]))
          }),
        })),
      },
      undefined,
      space,
    )
  const schema = write(['title', 'description'])
  return {
    schema,
    reordered: write(['description', 'title']),
    spaced: write(['title', 'description'], 2),
    body: Buffer.from(new URLSearchParams({ categorySchema: schema, token, f: 'json' }).toString()),
  }
}

const rounds = 25
const roundMilliseconds = 8

/** Measures the microseconds that the work takes once. */
async function measureRound(step: Step, sample: Sample): Promise<number> {
  const begun = performance.now()
  let times = 0
  let elapsed = 0
  for (; elapsed < roundMilliseconds; elapsed = performance.now() - begun) {
    for (let turn = 0; turn < 10; turn += 1) {
      const result = step.work(sample)
      if (result instanceof Promise) await result
    }
    times += 10
  }
  return (elapsed * 1000) / times
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}

const samples = { large: sampleOf(5, 39), small: sampleOf(1, 13) }
const lines = steps.map((step) => ({ step, large: [] as number[], small: [] as number[] }))
for (let round = 0; round <= rounds; round += 1) {
  for (const line of lines) {
    const large = await measureRound(line.step, samples.large)
    const small = await measureRound(line.step, samples.small)
    // The first round warms up.
    if (round === 0) continue
    line.large.push(large)
    line.small.push(small)
  }
}

const kilobytes = ({ body }: Sample) => `${(body.length / 1024).toFixed(1)} KB`
console.log(
  `microseconds: large is 200 categories in ${kilobytes(samples.large)}, small 14 in ${kilobytes(samples.small)}`,
)
console.log(`${'step'.padEnd(26)}${'large'.padStart(8)}${'small'.padStart(8)}  reason`)
for (const { step, large, small } of lines) {
  const figures = [large, small].map((values) => median(values).toFixed(2).padStart(8)).join('')
  console.log(`${step.name.padEnd(26)}${figures}  ${step.reason}`)
}

const admissions = 1_000

/** Microseconds of a request that begins, and of one that is refused, while one of each of so many users waits. */
async function measureLimiter(users: number): Promise<{ readonly begin: number; readonly refuse: number }> {
  const options = { ...boundsOf('sqlite', defaultLimits), maxPlaces: 1, maxWaiting: users }
  // No turn of the event loop is late.
  const limiter = openLimiter(options, countLimits(), () => 0)
  let [begun, refused] = [0, 0]
  const enter = (key: string) => {
    const response = Object.assign(new EventEmitter(), { closed: false })
    const entered = limiter.enter({ key, bytes: 0, response })
    if (entered instanceof Promise) {
      entered.then(
        () => {
          begun += 1
        },
        () => {
          refused += 1
        },
      )
    }
    return entered
  }
  const places = Array.from({ length: users }, (_, user) => enter(`user ${user}`) as Place)
  for (let user = 0; user < users; user += 1) enter(`user ${user}`)
  const refusing = performance.now()
  for (let times = 0; times < admissions; times += 1) enter(`user ${times % users}`)
  const refuse = performance.now() - refusing
  while (refused < admissions) await setImmediate()
  const beginning = performance.now()
  const ended = Math.min(admissions, users)
  for (const place of places.slice(0, ended)) place.end()
  while (begun < ended) await setImmediate()
  return { begin: ((performance.now() - beginning) * 1000) / ended, refuse: (refuse * 1000) / admissions }
}

console.log('\nlimiter, in microseconds')
console.log(`${'users whose requests wait'.padEnd(26)}${'begin'.padStart(8)}${'refuse'.padStart(8)}`)
for (const users of [10, 1_000, 20_000]) {
  const measured: { readonly begin: number; readonly refuse: number }[] = []
  for (let round = 0; round < 9; round += 1) measured.push(await measureLimiter(users))
  const figures = (['begin', 'refuse'] as const).map((name) => median(measured.map((one) => one[name])))
  console.log(`${String(users).padEnd(26)}${figures.map((figure) => figure.toFixed(1).padStart(8)).join('')}`)
}
