import { describe, expect, test } from 'vitest'
import { isRegistered, outOfBand, parseRedirectUri, withAnswer } from '../../../src/oauth/apps/redirect-uri.ts'

const app = { redirectUris: ['https://app.example.com/callback'], appType: 'browser', queryMayDiffer: false }

describe('an address is registered', () => {
  test.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com:8443/a?b=c',
    'https://app.example.com/a?view=code&states=1&id=%250a',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:7070/',
    'com.example.app:/callback',
    'https://xn--bcher-kva.example/',
    outOfBand,
  ])('%s', (uri) => {
    expect(parseRedirectUri(uri)).toEqual({ value: uri })
  })
})

describe('an address is not registered', () => {
  test.each([
    ['', 'has a character that no URL has; encode it.'],
    ['callback', 'is not an absolute URL.'],
    ['/callback', 'is not an absolute URL.'],
    ['//app.example.com/', 'is not an absolute URL.'],
    ['javascript:alert(1)', 'has the scheme javascript, which is not allowed.'],
    ['JavaScript:alert(1)', 'has the scheme JavaScript, which is not allowed.'],
    ['data:text/html,hello', 'has the scheme data, which is not allowed.'],
    ['vbscript:x', 'has the scheme vbscript, which is not allowed.'],
    ['file:///etc/passwd', 'has the scheme file, which is not allowed.'],
    ['blob:https://app.example.com/1', 'has the scheme blob, which is not allowed.'],
    ['view-source:https://app.example.com/', 'has the scheme view-source, which is not allowed.'],
    ['myapp:/callback', 'is neither https nor a scheme of an app, such as com.example.app.'],
    ['Com.Example.App:/callback', 'is neither https nor a scheme of an app, such as com.example.app.'],
    ['http://app.example.com/', 'is not https; http is only for 127.0.0.1, [::1] and localhost.'],
    ['http://localhost.example.com/', 'is not https; http is only for 127.0.0.1, [::1] and localhost.'],
    ['http://127.0.0.1.example.com/', 'is not https; http is only for 127.0.0.1, [::1] and localhost.'],
    ['https://user@app.example.com/', 'has a username or a password.'],
    ['https://user:secret@app.example.com/', 'has a username or a password.'],
    ['https://*.example.com/', 'has the character *, which is not allowed.'],
    ['https://app.example.com/*', 'has the character *, which is not allowed.'],
    ['https://app.example.com/#token', 'has the character #, which is not allowed.'],
    ['https://app.example.com\\evil', 'has the character \\, which is not allowed.'],
    ['https://app.example.com/a b', 'has a character that no URL has; encode it.'],
    ['https://app.example.com/\r\nSet-Cookie: a=b', 'has a character that no URL has; encode it.'],
    ...['%0d', '%0D', '%0a', '%0A', '%00'].flatMap((encoded): [string, string][] =>
      ['https://app.example.com/', 'https://app.example.com/?a=', 'com.example.app:/'].map((uri) => [
        `${uri}${encoded}`,
        `has the character ${encoded}, which is not allowed.`,
      ]),
    ),
    ...['code', 'state', 'error', 'error_description', 'error_uri', 'iss'].flatMap((name): [string, string][] =>
      [`https://app.example.com/?${name}=x`, `http://localhost/?a=b&${name}`, `com.example.app:/?${name}=x`].map(
        (uri) => [uri, `has ${name} in its query, a parameter of the answer; leave it out.`],
      ),
    ),
    ['https://app.example.com/?%63ode=x', 'has code in its query, a parameter of the answer; leave it out.'],
    ['https://app.example.com/?STATE', 'has state in its query, a parameter of the answer; leave it out.'],
    ['https://bücher.example/', 'has a character that no URL has; encode it.'],
    ['https://App.example.com/', 'is not in its normal form: https://app.example.com/'],
    ['HTTPS://app.example.com/', 'is neither https nor a scheme of an app, such as com.example.app.'],
    ['https://app.example.com:443/', 'is not in its normal form: https://app.example.com/'],
    ['https://app.example.com/a/../b', 'is not in its normal form: https://app.example.com/b'],
    ['https://app.example.com/%2e%2e/b', 'is not in its normal form: https://app.example.com/b'],
    [
      'https://app.example.com;x/',
      'has the host app.example.com;x, in which only letters, digits, - and . are allowed.',
    ],
    ['https://a,b.example/', 'has the host a,b.example, in which only letters, digits, - and . are allowed.'],
    ["https://a'b.example/", "has the host a'b.example, in which only letters, digits, - and . are allowed."],
    ['https:app.example.com/', 'is not in its normal form: https://app.example.com/'],
    ['http://2130706433/', 'is not in its normal form: http://127.0.0.1/'],
    [`https://app.example.com/${'a'.repeat(2_048)}`, 'has 2072 characters; at most 2048 are allowed.'],
  ])('%j', (uri, problem) => {
    expect(parseRedirectUri(uri)).toEqual({ problems: [problem] })
  })
})

describe('an answer is sent', () => {
  test.each([
    ['the very address', 'https://app.example.com/callback', app],
    ['a bare origin, with a slash', 'https://a.example/', { ...app, redirectUris: ['https://a.example'] }],
    ['a bare origin, without the slash', 'https://a.example', { ...app, redirectUris: ['https://a.example/'] }],
    ['any port of this machine', 'http://127.0.0.1:49152/cb', native('http://127.0.0.1/cb')],
    ['the highest port of this machine', 'http://127.0.0.1:65535/cb', native('http://127.0.0.1/cb')],
    ['any port of this machine, in IPv6', 'http://[::1]:1/cb', native('http://[::1]:7070/cb')],
    ['a page on this machine', outOfBand, native(outOfBand)],
    [
      'another query, where that is allowed',
      'https://app.example.com/callback?deep=link',
      { ...app, queryMayDiffer: true },
    ],
  ])('to %s', (_what, uri, target) => {
    expect(isRegistered(uri, target)).toBe(true)
  })
})

function native(uri: string) {
  return { redirectUris: [uri], appType: 'native', queryMayDiffer: false }
}

describe('no answer is sent', () => {
  /** Each differs from the registered address in one thing. */
  const misses = [
    '',
    ' ',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/callback/',
    'https://app.example.com/callback//',
    'https://app.example.com/callback/more',
    'https://app.example.com/callback.html',
    'https://app.example.com/callbac',
    'https://app.example.com/Callback',
    'https://app.example.com/CALLBACK',
    'https://APP.example.com/callback',
    'HTTPS://app.example.com/callback',
    'http://app.example.com/callback',
    'ftp://app.example.com/callback',
    'https://app.example.com:443/callback',
    'https://app.example.com:8443/callback',
    'https://app.example.com:/callback',
    'https://app.example.com./callback',
    'https://app.example.com.evil.example/callback',
    'https://app.example.com%2eevil.example/callback',
    'https://app.example.com%00.evil.example/callback',
    'https://evil.example/https://app.example.com/callback',
    'https://evil.example/?https://app.example.com/callback',
    'https://evil.example#https://app.example.com/callback',
    'https://evilapp.example.com/callback',
    'https://sub.app.example.com/callback',
    'https://example.com/callback',
    'https://app.example.org/callback',
    'https://user@app.example.com/callback',
    'https://user:secret@app.example.com/callback',
    'https://app.example.com@evil.example/callback',
    'https://app.example.com:443@evil.example/callback',
    'https://app.example.com\\@evil.example/callback',
    'https://evil.example\\@app.example.com/callback',
    'https://app.example.com/callback?',
    'https://app.example.com/callback?a=b',
    'https://app.example.com/callback&a=b',
    'https://app.example.com/callback;a=b',
    'https://app.example.com/callback#',
    'https://app.example.com/callback#a',
    'https://app.example.com/x/../callback',
    'https://app.example.com/callback/..',
    'https://app.example.com/callback/../callback',
    'https://app.example.com/./callback',
    'https://app.example.com/%2e/callback',
    'https://app.example.com/%2e%2e/callback',
    'https://app.example.com/callback%2f',
    'https://app.example.com/callback%20',
    'https://app.example.com/callback%23',
    'https://app.example.com/%63allback',
    'https://app.example.com//callback',
    'https:///app.example.com/callback',
    'https:/app.example.com/callback',
    'https:app.example.com/callback',
    '//app.example.com/callback',
    '/callback',
    'callback',
    'https://app.example.com\\callback',
    'https:\\\\app.example.com\\callback',
    ' https://app.example.com/callback',
    'https://app.example.com/callback ',
    '\thttps://app.example.com/callback',
    'https://app.example.com/call\nback',
    'https://app.example.com/callback\r\nLocation: https://evil.example',
    'https://app.example.com/callback\u0000',
    'https://аpp.example.com/callback',
    'https://app。example.com/callback',
    'https://xn--pp-7kc.example.com/callback',
    'https://app.example.com/callback\u202e',
    'https://localhost/callback',
    'https://*.example.com/callback',
    'javascript:alert(1)//https://app.example.com/callback',
    'data:text/html,https://app.example.com/callback',
    'urn:ietf:wg:oauth:2.0:oob',
    'urn:ietf:wg:oauth:2.0:oob:auto',
    'com.example.app:/callback',
    'https://app.example.com/callback\n',
  ]
  test.each(misses)('to %j in place of the registered one', (uri) => {
    expect(isRegistered(uri, app)).toBe(false)
  })

  test.each([
    ['http://localhost:1/cb', native('http://localhost/cb')],
    ['http://127.0.0.1:99999999/cb', native('http://127.0.0.1/cb')],
    ['http://127.0.0.1:65536/cb', native('http://127.0.0.1/cb')],
    ['http://[::1]:99999/cb', native('http://[::1]/cb')],
    ['http://127.0.0.1:80/other', native('http://127.0.0.1/cb')],
    ['http://127.0.0.1.evil.example/cb', native('http://127.0.0.1/cb')],
    ['http://127.0.0.1:80@evil.example/cb', native('http://127.0.0.1/cb')],
    ['https://127.0.0.1:80/cb', native('http://127.0.0.1/cb')],
    ['http://[::1]:80/cb', native('http://127.0.0.1/cb')],
    ['http://127.0.0.1:5/cb', { ...native('http://127.0.0.1/cb'), appType: 'browser' }],
    ['https://app.example.com/other?deep=link', { ...app, queryMayDiffer: true }],
    ['https://app.example.com/callback?a#b', { ...app, queryMayDiffer: true }],
    ['https://evil.example/?https://app.example.com/callback', { ...app, queryMayDiffer: true }],
  ])('to %s, although something may differ', (uri, target) => {
    expect(isRegistered(uri, target)).toBe(false)
  })
})

test.each(['https://app.example.com/callback', 'https://app.example.com/callback?view=map'])(
  'an app at %s gets its state back as it sent it, whatever signs are in it',
  (redirectUri) => {
    const state = 'a=b&code=planted#end?x+y z/é%20'
    const { searchParams, hash } = new URL(withAnswer(redirectUri, { code: 'given', state, error: undefined }))
    expect([searchParams.get('state'), searchParams.getAll('code'), hash]).toEqual([state, ['given'], ''])
    expect(searchParams.has('error')).toBe(false)
  },
)
