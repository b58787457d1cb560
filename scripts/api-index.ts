/** Writes docs/api.md from the operation table: general rules, and a line for each operation. */
import { writeFileSync } from 'node:fs'
import { formatSeedSchema } from '../src/cli/ephemeral/seed-shape.ts'
import { basics, type Section } from '../src/http/docs/reference/basics.ts'
import { roomsOf } from '../src/http/docs/reference/reference.ts'
import type { Endpoint, Room } from '../src/http/endpoints/endpoint.ts'
import { goals } from '../src/http/endpoints/goals.ts'
import { methodsOf, rooms } from '../src/http/endpoints/operation-docs.ts'
import { endpointTable } from '../src/http/endpoints/table.ts'
import { escapeText, formatTable, linkTo } from './markdown.ts'

const written = new URL('../docs/api.md', import.meta.url)

const head = `# The API

Every operation in one line. A server shows the whole reference at \`<PUBLIC_URL>/api\`, with parameters, answers, an example of each
operation, and all errors; it lies in the release as \`docs/api.html\`. For programs the same is at \`/openapi.json\`.

\`npm run docs\` writes this page from the table in \`src/http/endpoints\` and from \`src/http/docs/reference/basics.ts\`.`

/** Formats the whole page. */
export function formatApiIndex(table: readonly Endpoint[]): string {
  const parts = [
    head,
    ...basics.map(formatBasics),
    `## By task\n\n${formatTasks(table)}`,
    ...roomsOf(table).map(formatRoom),
  ]
  return `${parts.join('\n\n')}\n`

  function formatRoom(room: Room): string {
    const rows = table
      .filter((row) => row.room === room)
      .map((row) => [
        `<a id="${row.id.toLowerCase()}"></a>${escapeText(row.title)}`,
        `${methodsOf(row)[0]} \`${row.path.replace(/:(\w+)/g, '<$1>')}\``,
        escapeText(row.summary.split(/(?<=\.) /, 1)[0]!),
      ])
    return `## ${rooms[room].title}: the operations\n\n${formatTable(['operation', 'call', 'what it does'], rows)}`
  }
}

function formatBasics({ title, paragraphs = [], points = [] }: Section): string {
  const list = points.map((point) => `- ${escapeText(point)}`).join('\n')
  return [`## ${title}`, ...paragraphs.map(escapeText), ...(list === '' ? [] : [list])].join('\n\n')
}

/** Formats the table of goals, each with links to the operations that serve it. */
function formatTasks(table: readonly Endpoint[]): string {
  const rows = goals.map((goal) => {
    const links = table.filter((row) => row.goals?.includes(goal)).map(linkTo)
    return [goal, links.join(', ')]
  })
  return formatTable(['to', 'call'], rows)
}

if (import.meta.main) {
  writeFileSync(written, formatApiIndex(endpointTable))
  writeFileSync(new URL('../docs/seed.schema.json', import.meta.url), formatSeedSchema())
}
