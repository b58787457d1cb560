import { readFileSync } from 'node:fs'
import { describeComponents, describeShape } from '../../../src/http/docs/components.ts'
import { formatOpenApi } from '../../../src/http/docs/openapi.ts'
import { kindOf, shapeOf } from '../../../src/http/endpoints/endpoint.ts'
import { methodsOf } from '../../../src/http/endpoints/operation-docs.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { component, id, list, object } from '../../../src/http/shapes/shape.ts'
import { pageTable } from '../../../src/http/sign-in/register-pages.ts'
import { searches } from '../../../src/operations/registry.ts'
import type { Body } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const server = 'https://portal.test/sharing/rest'
const document: Body = JSON.parse(JSON.stringify(formatOpenApi(endpointTable, server)))
const whole: Body = JSON.parse(JSON.stringify(formatOpenApi(endpointTable, server, pageTable)))
const { schemas, responses } = document.components

const inBraces = (path: string) => path.replace(/:(\w+)/g, '{$1}')

function formOf(operationId: string): Body {
  return schemas[`${operationId[0]!.toUpperCase()}${operationId.slice(1)}Form`]
}

test('the server hands out its document, with its own address and version', async ({ portal }) => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const { body } = await portal.server.app.inject({ url: '/openapi.json' })
  const served = JSON.parse(body)
  expect(served.info.version).toBe(version)
  expect(served.servers).toEqual([{ url: 'https://maps.example.com/portal/sharing/rest' }])
  const { paths } = formatOpenApi(endpointTable, served.servers[0].url, pageTable) as Body
  expect(served.paths).toEqual(JSON.parse(JSON.stringify(paths)))
})

test('pages of sign-in answer HTML or redirect, below the root of the API or that of the server', () => {
  const others = Object.keys(whole.paths).filter((path) => !(path in document.paths))
  expect(others).toEqual(pageTable.map(({ path }) => path))
  for (const { path, methods, isAtRoot, isForPrograms, parameters } of pageTable) {
    const { servers, ...operations } = whole.paths[path]
    expect(servers).toEqual(isAtRoot ? [{ url: 'https://portal.test' }] : undefined)
    expect(Object.keys(operations)).toEqual(methods.map((method) => method.toLowerCase()))
    for (const { responses: answers, parameters: query, requestBody } of Object.values<Body>(operations)) {
      expect(Object.keys(answers)).toEqual(isForPrograms ? ['200', '400'] : ['200', '303', '4XX'])
      expect(Object.keys(answers['200'].content)).toEqual([isForPrograms ? 'application/json' : 'text/html'])
      const form = requestBody?.content['application/x-www-form-urlencoded'].schema.properties
      const names = query ? query.map(({ name }: Body) => name) : Object.keys(form)
      expect(names).toEqual(Object.keys(parameters))
    }
  }
})

describe('operations', () => {
  test('the document has the paths of the table, and no others', () => {
    expect(Object.keys(document.paths)).toEqual([...new Set(endpointTable.map(({ path }) => inBraces(path)))])
  })

  test('each has the methods that it takes', () => {
    const wanted = endpointTable.map((row) => {
      const { id } = row
      if (row.sharesPath) {
        const [, , of] = /^(list|create)(.*?)s?$/.exec(id)!
        return [`list${of}s`, `create${of}`]
      }
      const byGet = id.startsWith('plan') || id === 'checkPermission' || id === 'readFirstRun' || id === 'readTable'
      if (kindOf(row) === 'resource' && !byGet) return [id, `${id}ByPost`]
      return [byGet || row.isCalledByGet ? `${id}ByGet` : undefined, id]
    })
    const described = endpointTable.map((row) => {
      const { get, post } = document.paths[inBraces(row.path)]
      return [get?.operationId, post.operationId]
    })
    expect(described).toEqual(wanted)
  })

  test('each says in words who may call it', () => {
    const missing = endpointTable.flatMap((row) => {
      const { id, path, summary, who, since = '', chosen = [] } = row
      const { description } = document.paths[inBraces(path)][methodsOf(row).at(-1)!.toLowerCase()]
      return [summary, who, since, ...chosen]
        .filter((words) => !description.includes(words))
        .map((words) => [id, words])
    })
    expect(missing).toEqual([])
  })

  test.each([
    ['/generateToken', [{}]],
    ['/portals/{portalId}', [{}, 'tokenParameter', 'esriHeader', 'authorizationHeader']],
    ['/portals/{portalId}/deleteCategorySchema', ['tokenParameter', 'esriHeader', 'authorizationHeader']],
  ])('%s says where a token goes', (path, wanted) => {
    const security = wanted.map((scheme) => (typeof scheme === 'string' ? { [scheme]: [] } : scheme))
    expect(document.paths[path].post.security).toEqual(security)
  })

  test('every tag is a room, and is described', () => {
    const used = new Set(Object.values<Body>(document.paths).flatMap(({ post }) => post.tags))
    expect(document.tags.map(({ name }: Body) => name).sort()).toEqual([...used].sort())
  })

  test('operations with passwords, those that write for a user and searches answer 429, other reads do not', () => {
    const limited = Object.values<Body>(document.paths).filter(({ post }) => '429' in post.responses)
    const expected = endpointTable.flatMap(({ id, effect, token }) => {
      if (id in searches) return [id.startsWith('plan') ? id : `${id}ByPost`]
      return id === 'generateToken' || id === 'completeFirstRun' || (effect !== 'none' && token === 'required')
        ? [id]
        : []
    })
    expect(limited.map(({ post }) => post.operationId)).toEqual(expected)
  })
})

describe('parameters', () => {
  test('a form describes what it takes', () => {
    const { required, properties } = formOf('createCollaboration')
    expect(required).toEqual(['name', 'workspaceName'])
    expect(properties.name).toEqual({ description: 'Name.', type: 'string', maxLength: 100 })
    expect(properties.accessMode.enum).toEqual(['send', 'receive', 'sendAndReceive'])
    expect(properties.config.contentMediaType).toBe('application/json')
    expect(properties.f).toEqual({ $ref: '#/components/schemas/Format' })
    expect(properties.token).toEqual({ $ref: '#/components/schemas/Token' })
  })

  test('numbers, booleans and passwords are described as such', () => {
    expect(formOf('generateToken').properties.expiration).toMatchObject({ type: 'integer', minimum: 1 })
    expect(formOf('createGroup').properties.isViewOnly.type).toBe('boolean')
    expect(formOf('changePassword').properties.newPassword.format).toBe('password')
  })

  test('a resource takes in the query what its form takes', () => {
    const { get, post } = document.paths['/community/groups']
    const names = get.parameters.map(({ name, $ref }: Body) => name ?? $ref.split('/').at(-1))
    expect(names).toEqual(expect.arrayContaining(['q', 'filter', 'sortField', 'sortOrder', 'start', 'num', 'f']))
    expect(Object.keys(formOf('searchGroups').properties)).toEqual([...names, 'token'])
    expect(post.requestBody.required).toBe(false)
  })

  test('a form may be urlencoded or multipart, and a category schema the body itself', () => {
    const types = (path: string) => Object.keys(document.paths[path].post.requestBody.content)
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']
    expect(types('/community/groups/{groupId}/update')).toEqual(forms)
    for (const owner of ['/community/groups/{groupId}', '/portals/{portalId}']) {
      expect(types(`${owner}/assignCategorySchema`)).toEqual([...forms, 'application/json'])
    }
  })

  test('a file is a binary part of a multipart body, and plain text in a urlencoded one', () => {
    const { content } = document.paths['/portals/{portalId}/acceptCollaborationInvitation'].post.requestBody
    const schemaOf = (type: string) => schemas[content[type].schema.$ref.split('/').at(-1)]
    const text = schemaOf('application/x-www-form-urlencoded').properties
    const parts = schemaOf('multipart/form-data').properties
    expect(parts.invitationFile).toEqual({ ...text.invitationFile, format: 'binary' })
    expect(text.invitationFile).toEqual({ description: expect.any(String), type: 'string' })
    expect({ ...parts, invitationFile: {} }).toEqual({ ...text, invitationFile: {} })
  })

  test('every id of a path is described, with one that exists in the examples', () => {
    for (const [path, { parameters = [] }] of Object.entries<Body>(document.paths)) {
      const ids = parameters.map(({ $ref }: Body) => document.components.parameters[$ref.split('/').at(-1)])
      expect(ids.map(({ name }: Body) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      for (const { description, example, required } of ids) {
        expect(required).toBe(true)
        expect(description).not.toBe('An identifier.')
        expect(example).toEqual(expect.any(String))
      }
    }
  })
})

describe('answers', () => {
  test('every operation answers its example, in the shape of its row, or the envelope of an error', () => {
    const described = endpointTable.map(({ id }) => {
      const { schema, examples } = responses[id].content['application/json']
      return [id, examples.answer.value, schema.oneOf ?? schema.anyOf]
    })
    const envelope = { $ref: '#/components/schemas/ErrorEnvelope' }
    const wanted = endpointTable.map((row) => [row.id, row.example.answer, [describeShape(shapeOf(row)), envelope]])
    expect(described).toEqual(wanted)
  })

  test('categories hold categories', () => {
    expect(schemas.Category.properties.categories.items).toEqual({ $ref: '#/components/schemas/Category' })
  })

  test('a component is described once, and everything refers to it', () => {
    const [list] = responses.listInvitations.content['application/json'].schema.oneOf
    const invitations = { type: 'array', items: { $ref: '#/components/schemas/Invitation' } }
    expect(list.properties.collaborationInvitations).toEqual(invitations)
    expect(list.required).toEqual(['total', 'start', 'num', 'nextStart', 'collaborationInvitations'])
    expect(schemas.UserView.properties.groups.items).toEqual({ $ref: '#/components/schemas/Group' })
    expect(schemas.Group).toMatchObject({ type: 'object', properties: { title: { type: 'string' } } })
  })

  test('two shapes do not share a name', () => {
    const one = component('Group', 'One.', object({ id: id() }))
    const other = component('Group', 'Other.', object({ id: id() }))
    expect(Object.keys(describeComponents([one, list(one)]))).toEqual(['Group'])
    expect(() => describeComponents([one, list(other)])).toThrow('Two shapes are called Group.')
  })

  test('times, ids, words and values that may be null are described as such', () => {
    const { created, id, access, phone } = schemas.Group.properties
    expect(created).toMatchObject({ type: 'integer', format: 'int64', 'x-unit': 'epoch-milliseconds' })
    expect(id.pattern).toBe('^[0-9a-f]{32}$')
    expect(access.enum).toEqual(['private', 'org', 'public'])
    expect(phone.type).toEqual(['string', 'null'])
    expect(schemas.UserView.required).not.toContain('email')
  })

  test.each([
    ['inviteParticipant', 'InvitationFile'],
    ['refreshInvitation', 'InvitationFile'],
    ['exportInvitationResponse', 'InvitationResponseFile'],
  ])('%s answers a file', (id, shape) => {
    const [file] = responses[id].content['application/json'].schema.oneOf
    expect(file).toEqual({ $ref: `#/components/schemas/${shape}` })
    expect(responses[id].description).toContain('Content-Disposition')
  })

  test('nothing else is a file', () => {
    const files = endpointTable.filter(({ id }) => responses[id].description.includes('Content-Disposition'))
    expect(files.map(({ id }) => id)).toEqual([
      'exportGroupCategorySchema',
      'exportPortalCategorySchema',
      'exportItemCategories',
      'inviteParticipant',
      'refreshInvitation',
      'exportInvitationResponse',
    ])
  })
})
