import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { invitationStates } from '../../src/collaborations/invitation.ts'
import { endpointTable } from '../../src/http/endpoints/table.ts'
import { countedLimits } from '../../src/limits.ts'
import { conditions } from '../../src/operations/attention.ts'
import { hostCollaboration } from '../support/portal/collaboration-host.ts'
import { startPortal } from '../support/portal/portal.ts'
import { scrape } from '../support/portal/scrape.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[]
}

const { groups } = parseYaml(read('deploy/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}

/** Interval and job are variables of the dashboard; PromQL has none. */
const filled = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'cartulary')
const queries = [
  ...rules.map(({ alert, expr }) => ({ of: `the alert ${alert}`, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ of: `the panel ${title}`, expr: filled(expr) })),
  ),
]

interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[]
}

/** Selectors of a query in PromQL, and the labels that it groups by. */
function readQuery(expr: string): { selectors: readonly Selector[]; labels: readonly string[]; errors: number } {
  const selectors: { metric: string; matchers: { label: string; operator: string; value: string }[] }[] = []
  const labels: string[] = []
  let errors = 0
  parser.parse(expr).iterate({
    enter({ type, from, to, node }) {
      const text = expr.slice(from, to)
      if (type.isError) errors += 1
      if (type.name === 'VectorSelector') selectors.push({ metric: '', matchers: [] })
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') selectors.at(-1)!.metric = text
      if (type.name === 'UnquotedLabelMatcher') {
        const [, label, operator, value] = /^(\w+)\s*([!=~]+)\s*"(.*)"$/.exec(text)!
        selectors.at(-1)!.matchers.push({ label: label!, operator: operator!, value: value! })
      }
      if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels') labels.push(text)
    },
  })
  return { selectors, labels, errors }
}

/** Labels of each series that is served; of a histogram, under the names of its series. */
let served: ReadonlyMap<string, ReadonlySet<string>>

beforeAll(async () => {
  await using portal = await startPortal({ isReused: false })
  await (await hostCollaboration(portal)).invite()
  await scrape(portal.server.app)
  const { text, series } = await scrape(portal.server.app)
  const found = new Map<string, Set<string>>()
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) found.set(`${name}${end}`, new Set())
  }
  for (const written of series.keys()) {
    const name = /^\w+/.exec(written)![0]
    for (const [, label] of written.matchAll(/(\w+)="/g)) found.get(name)!.add(label!)
  }
  served = found
})

/** Labels that Prometheus adds to each series that it scrapes. */
const added = ['job', 'instance']

/** Values that a label may have; of any other, none is known. */
const values: Readonly<Record<string, readonly string[]>> = {
  operation: ['none', ...endpointTable.map(({ id }) => id)],
  limit: countedLimits,
  outcome: ['200', '304', '400', '403', '404', '405', '409', '413', '415', '429', '498', '499', '500', '503'],
  work: ['read', 'search', 'write'],
  result: ['hit', 'miss'],
  job: ['cartulary'],
  condition: conditions,
}
const states = [...invitationStates, 'busy', 'idle']

describe.each(queries)('$of', ({ expr }) => {
  const { selectors, labels, errors } = readQuery(expr)

  test('is PromQL', () => {
    expect(errors).toBe(0)
    expect(selectors.length).toBeGreaterThan(0)
  })

  test('selects metrics, labels and values that are served', () => {
    for (const { metric, matchers } of selectors) {
      if (metric !== 'up') expect([...served.keys()], expr).toContain(metric)
      for (const { label, operator, value } of matchers) {
        expect([...added, ...(served.get(metric) ?? [])], `${metric}: ${expr}`).toContain(label)
        const known = label === 'state' ? states : values[label]!
        const matching = operator.endsWith('~')
          ? value.split('|').map((part) => known.filter((one) => new RegExp(`^(?:${part})$`).test(one)))
          : [known.filter((one) => one === value)]
        for (const some of matching) expect(some, `${label}${operator}"${value}"`).not.toEqual([])
      }
    }
    const all = new Set([...added, ...selectors.flatMap(({ metric }) => [...(served.get(metric) ?? [])])])
    for (const label of labels) expect([...all], expr).toContain(label)
  })
})

describe('alerts', () => {
  test('have each a name, a severity, and a sentence with labels that the alert has', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, expr, for: during, labels, annotations } of rules) {
      expect(alert).toMatch(/^Cartulary[A-Za-z]+$/)
      expect(['critical', 'warning', 'info']).toContain(labels['severity'])
      expect(during ?? '1m').toMatch(/^\d+[mh]$/)
      expect(annotations['summary']).toMatch(/^\S.*\.$/)
      const { selectors, labels: grouped } = readQuery(expr)
      const ofSeries = selectors.flatMap(({ metric }) => [...(served.get(metric) ?? [])])
      const has = grouped.length > 0 ? grouped : [...added, ...ofSeries]
      for (const [, label] of annotations['summary']!.matchAll(/\$labels\.(\w+)/g)) expect(has, alert).toContain(label)
    }
  })

  test('are each explained in docs/monitor.md, and no others', () => {
    const explained = [...read('docs/monitor.md').matchAll(/^\| `(Cartulary\w+)` \|/gm)].map(([, name]) => name)
    expect(explained).toEqual(rules.map(({ alert }) => alert))
  })
})

describe('the dashboard', () => {
  test('has panels that do not overlap, with an id and a legend of labels that the query keeps', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Set<string>()
    for (const { title, gridPos, targets = [] } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        expect(x, title).toBeLessThan(24)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken, title).not.toContain(`${x} ${y}`)
          taken.add(`${x} ${y}`)
        }
      }
      for (const { expr, legendFormat } of targets) {
        const { selectors, labels } = readQuery(filled(expr))
        const kept =
          labels.length > 0 ? labels : [...added, ...selectors.flatMap(({ metric }) => [...(served.get(metric) ?? [])])]
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept, title).toContain(label)
      }
    }
  })

  test('uses every variable that it has, and no other', () => {
    const used = new Set([...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name]) => name))
    const known = dashboard.templating.list.map(({ name }) => name)
    expect([...used].filter((name) => name !== '__rate_interval').toSorted()).toEqual(known.toSorted())
  })
})
