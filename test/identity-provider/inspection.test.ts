import { expect, onTestFinished, test } from 'vitest'
import { openIdentityProvider } from '../../src/identity-provider/openid-provider.ts'
import { HostileProvider } from '../support/identity-provider/hostile-provider.ts'

test.each([
  ['an error in HTML', 503, '<h1>Away</h1>', 'answers 503, and no keys.'],
  ['HTML', 200, '<h1>Hello</h1>', 'answers no JSON with a list of keys.'],
  ['no list', 200, '{"keys":{}}', 'answers no JSON with a list of keys.'],
  ['null', 200, 'null', 'answers no JSON with a list of keys.'],
  ['no key', 200, '{"keys":[]}', 'has no keys.'],
])('an inspection finds %s in place of keys', async (_what, status, text, sentence) => {
  const provider = await HostileProvider.open()
  onTestFinished(() => provider[Symbol.asyncDispose]())
  provider.handlers.set('/keys', (_request, response) => response.writeHead(status).end(text))
  const settings = { issuer: provider.issuer, clientId: 'cartulary', scopes: 'openid', hosts: undefined }
  const findings = []
  for await (const finding of openIdentityProvider(settings, undefined, Date.now).inspect('https://a.example/back')) {
    findings.push(finding)
  }
  expect(findings).toContainEqual({ level: 'problem', text: `${provider.issuer}/keys ${sentence}` })
})
