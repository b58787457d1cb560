/**
 * Processor time of the steps of one assignment of a category schema: `node bench/steps.ts`. Each is measured
 * separately, for a large and for a small request, as the median of short alternating rounds.
 *
 * A change is judged by the figures before and after it, both from the same machine and the same time.
 */
import { groupLimits } from '../src/categories/limits.ts'
import { judgeSchema } from '../src/categories/schema.ts'
import { judgedJson } from '../src/http/endpoints/parameter-types.ts'
import { readValues } from '../src/http/endpoints/parameter-values.ts'
import { findToken } from '../src/http/request/bearer-token.ts'
import { decodeForm } from '../src/http/request/form.ts'
import { readRequestParameters } from '../src/http/request/request-parameters.ts'

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
