/** A program of one user that sends many concurrent requests with the fetch of Node and never retries. */

export interface Burst {
  readonly kind: 'addItem' | 'assign' | 'search'
  readonly count: number
  /** Ports of the servers, used round-robin. */
  readonly ports: readonly number[]
  readonly token: string
  /** Groups that are assigned to, used round-robin. */
  readonly groupIds: readonly string[]
  readonly schema: string
}

export interface BurstOutcome {
  readonly seconds: number
  /** Number of refused or failed requests, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

const { kind, count, ports, token, groupIds, schema } = JSON.parse(process.argv[2]!) as Burst
const countFields = 'categories,tags,type'

function requestOf(number: number): [path: string, parameters: Readonly<Record<string, string>>] {
  if (kind === 'addItem') {
    return [
      '/content/users/admin/addItem',
      { title: `Lakes ${number}`, type: 'Web Map', tags: `water,tag${number % 50}` },
    ]
  }
  if (kind === 'search') {
    return ['/search', { q: `tag${number % 50}`, num: '20', countFields, countSize: '200' }]
  }
  const categorySchema = schema.replace('00000000', String(number).padStart(8, '0'))
  return [`/community/groups/${groupIds[number % groupIds.length]}/assignCategorySchema`, { categorySchema }]
}

/** Reason of a refusal; undefined for a success. */
async function ask(number: number): Promise<string | undefined> {
  const [path, parameters] = requestOf(number)
  const url = `http://127.0.0.1:${ports[number % ports.length]}/sharing/rest${path}`
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ ...parameters, f: 'json' }),
    })
    const text = await response.text()
    if (!response.ok) return `HTTP ${response.status}`
    const { error } = JSON.parse(text) as { error?: { code: number; message: string } }
    return error && `${error.code} ${error.message}`
  } catch (error) {
    const { cause, message } = error as Error
    return cause instanceof Error ? `${message}: ${cause.message}` : message
  }
}

const begun = performance.now()
const reasons = await Promise.all(Array.from({ length: count }, (_, number) => ask(number)))
const refused: Record<string, number> = {}
for (const reason of reasons) if (reason !== undefined) refused[reason] = (refused[reason] ?? 0) + 1
const outcome: BurstOutcome = { seconds: (performance.now() - begun) / 1_000, refused }
console.log(JSON.stringify(outcome))
process.exit()
