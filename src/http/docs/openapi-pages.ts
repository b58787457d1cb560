import type { PageRow } from '../sign-in/page-row.ts'
import { describeParameter } from './openapi-forms.ts'

/** The tag of the pages of sign-in, which answer browsers, in the OpenAPI document. */
export const pagesTag = {
  name: 'Pages of sign-in',
  description: 'What people see who sign in to an app: HTML, or the way to another address by HTTP 303.',
}

/** Paths of the pages; `server` is the root of the API, which some of them are not below. */
export function describePages(pages: readonly PageRow[], server: string): Readonly<Record<string, object>> {
  return Object.fromEntries(pages.map((page) => [page.path, describePage(page, server)]))
}

function describePage(page: PageRow, server: string): object {
  const [usual] = page.methods
  const operations = page.methods.map((method) => [
    method.toLowerCase(),
    {
      operationId: method === usual ? page.id : `${page.id}By${method === 'GET' ? 'Get' : 'Post'}`,
      summary: page.title,
      description: describe(page),
      tags: [pagesTag.name],
      security: [{}],
      ...(method === 'GET' ? { parameters: describeQuery(page) } : { requestBody: describeForm(page) }),
      responses: page.isForPrograms ? responsesToPrograms : responses,
    },
  ])
  const root = page.isAtRoot ? { servers: [{ url: server.replace(/\/sharing\/rest$/, '') }] } : {}
  return { ...root, ...Object.fromEntries(operations) }
}

function describe({ summary, chosen = [] }: PageRow): string {
  if (chosen.length === 0) return summary
  return `${summary}\n\nChosen here, since the public API does not show it:\n\n${chosen.map((note) => `- ${note}`).join('\n')}`
}

function describeQuery({ parameters }: PageRow): readonly object[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: 'query',
    description: parameter.meaning,
    schema: describeParameter(parameter),
  }))
}

function describeForm({ parameters }: PageRow): object {
  const properties = Object.entries(parameters).map(([name, parameter]) => [
    name,
    { description: parameter.meaning, ...describeParameter(parameter) },
  ])
  const schema = { type: 'object', properties: Object.fromEntries(properties) }
  return { content: { 'application/x-www-form-urlencoded': { schema } } }
}

const html = { 'text/html': { schema: { type: 'string' } } }

const json = { 'application/json': { schema: { type: 'object' } } }

const responsesToPrograms = {
  200: { description: 'Done; the object is empty.', content: json },
  400: { description: 'Refused, in the words of the specification.', content: json },
}

const responses = {
  200: { description: 'A page, also where something is refused.', content: html },
  303: {
    description: 'The way on: to the app, to the identity provider or to a page of sign-in.',
    headers: { Location: { description: 'Where to.', schema: { type: 'string' } } },
  },
  '4XX': { description: 'What the transport refuses.' },
}
