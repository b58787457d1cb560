import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { formatOpenApi } from '../../../src/http/docs/openapi.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { pageTable } from '../../../src/http/sign-in/register-pages.ts'

test('a linter finds nothing to say', async () => {
  // The linter takes example.com for a mistake.
  const source = JSON.stringify(formatOpenApi(endpointTable, 'https://portal.test/sharing/rest', pageTable))
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  const said = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  expect(said).toEqual([])
})
