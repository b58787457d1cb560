import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findTextProblems } from '../../../pages/build/checked-texts.ts'
import { languageNames } from '../../../pages/src/texts/languages.ts'
import { findPasswordProblem, samePassword } from '../../../src/directory/passwords/password.ts'
import { languages, PageTexts } from '../../../src/http/sign-in/texts.ts'
import type { Language } from '../../../src/languages.ts'
import { authorize, oauthInfoOf, outOfBand, proofKey, sendNewPassword, sendSignIn } from '../../support/portal/oauth.ts'
import { adminPassword, startPortal, type TestPortal } from '../../support/portal/portal.ts'

const python = { client_id: 'arcgisonline', redirect_uri: outOfBand }
const own = { client_id: 'cartulary', redirect_uri: 'https://maps.example.com/portal/', ...proofKey().asked }

let portal: TestPortal

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
})

/** Language and direction of a page, and the cookie that it sets. */
function languageOf({ body, headers }: { readonly body: string; readonly headers: object }) {
  const [, language, direction] = /<html lang="(\w+)" dir="(\w+)">/.exec(body)!
  const cookie = (headers as { readonly 'set-cookie'?: string | string[] })['set-cookie']
  return { language, direction, cookie: cookie === undefined ? undefined : String(cookie) }
}

test('the pages of sign-in have the languages of the application, and each has every text', () => {
  expect(languages.map(({ language, name }) => [language, name])).toEqual(Object.entries(languageNames))
  expect(findTextProblems(fileURLToPath(new URL('../../../src/http/sign-in/texts/', import.meta.url)))).toEqual([])
})

describe('the language of a page', () => {
  test.each([
    [undefined, 'en', 'ltr'],
    ['nl', 'en', 'ltr'],
    ['fr-CA,de;q=0.9', 'fr', 'ltr'],
    ['fr;q=0.3, ja;q=0.8, en;q=0.1', 'ja', 'ltr'],
    ['de;q=0, ar-EG;q=0.1', 'ar', 'rtl'],
  ])('is that of the browser: Accept-Language %s', async (header, language, direction) => {
    const page = await authorize(portal, python, header === undefined ? {} : { 'accept-language': header })
    expect(languageOf(page)).toEqual({ language, direction, cookie: undefined })
  })

  test('is before that the one of the app, and before that the one that was chosen, which stays', async () => {
    const asked = { ...python, locale: 'de-AT' }
    expect(languageOf(await authorize(portal, asked, { 'accept-language': 'fr' })).language).toBe('de')
    const chosen = languageOf(await authorize(portal, { ...asked, language: 'es' }))
    expect(chosen).toMatchObject({ language: 'es', cookie: expect.stringMatching(/HttpOnly; SameSite=Lax$/) })
    const cookie = chosen.cookie!.split(';')[0]!
    expect(languageOf(await authorize(portal, asked, { cookie })).language).toBe('es')
    const signOut = await portal.inject({ url: '/oauth2/signout', headers: { cookie } })
    expect(languageOf(signOut)).toEqual({ language: 'es', direction: 'ltr', cookie: undefined })
  })

  test.each(['xx', 'constructor', '<b>', '', 'de,fr'])('is not %j, which is no language', async (language) => {
    const given = { ...python, language, locale: language }
    expect(languageOf(await authorize(portal, given))).toEqual({ language: 'en', direction: 'ltr', cookie: undefined })
  })

  test('is chosen by a form that repeats the request, and no password', async () => {
    const page = await authorize(portal, { ...python, state: 'a "state"' })
    const form = /<form class="languages".*?<\/form>/s.exec(page.body)![0]
    expect(form).toContain('method="get" action="/portal/sharing/rest/oauth2/authorize"')
    expect(form).toContain('name="state" value="a &quot;state&quot;"')
    const refused = await sendSignIn(portal, page, { username: 'admin', password: 'wrong' })
    const again = /<form class="languages".*?<\/form>/s.exec(refused.body)![0]
    const fields = [...again.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    expect(Object.fromEntries(fields)).toMatchObject({ force_login: 'true', prepopulatedusername: 'admin' })
    expect(again).not.toContain('wrong')
  })

  test('of a new password is chosen without using the link', async () => {
    const admin = await portal.admin()
    await admin.invite('anna')
    await admin.post('/community/users/anna/reset', { newPassword: 'given by an administrator' })
    const credentials = { username: 'anna', password: 'given by an administrator' }
    const page = await sendSignIn(portal, await authorize(portal, own), credentials)
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)![1]!
    const given = { link: hidden('link'), oauth_state: hidden('oauth_state') }
    const other = await portal.postForm('/oauth2/newPassword', { ...given, language: 'de' })
    expect(languageOf(other).language).toBe('de')
    expect(other.body).toContain('Bevor es weitergeht')
    expect(other.body).not.toContain('role="alert"')
    const changed = await sendNewPassword(portal, { ...given, newPassword: 'chosen by the user alone' })
    expect(changed.headers.location).toMatch(/^https:\/\/maps\.example\.com\/portal\/\?code=/)
  })
})

test('what programs read of the pages is English in every language', async () => {
  for (const { language } of languages) {
    const headers = { 'accept-language': language }
    const refused = await sendSignIn(
      portal,
      await authorize(portal, python, headers),
      { username: 'admin', password: 'wrong' },
      headers,
    )
    expect(languageOf(refused).language).toBe(language)
    expect(oauthInfoOf(refused.body).messages).toEqual(['Invalid username or password.'])
    const unknown = await authorize(portal, { ...python, client_id: 'unknown' }, headers)
    expect(unknown.body).toContain('Error: Invalid client_id')
    const page = await authorize(portal, python, headers)
    const answer = await sendSignIn(portal, page, { username: 'admin', password: adminPassword }, headers)
    expect(answer.body).toMatch(/<title>SUCCESS code=[\w-]+<\/title>/)
  }
})

test('the own application is the organization, and other apps keep their warning', async () => {
  await (await portal.admin()).post('/portals/self/update', { name: 'Ministry of Maps' })
  const { body } = await authorize(portal, own)
  expect(body).toContain('<h1>Sign in to <strong><bdi>Ministry of Maps</bdi></strong></h1>')
  expect(body).not.toContain('in your name')
  expect((await authorize(portal, python)).body).toContain('it can then act in your name')
})

test.each(languages.filter(({ language }) => language !== 'en'))(
  'every reason for refusing a password is said in $language',
  ({ language }) => {
    const texts = new PageTexts(language as Language)
    const context = { username: 'cartographer', organization: 'Ministry of Maps' }
    const sentences = [
      samePassword,
      ...[['short'], ['Password1', true], ['aaaaaaaaa'], ['cartographer1'], ['ministryofmaps'], ['cartulary1']].map(
        ([text, isCommon = false]) =>
          findPasswordProblem({ text: String(text), isCommon: Boolean(isCommon) }, context)!,
      ),
    ]
    const said = sentences.map((sentence) => texts.reason(sentence))
    expect(new Set(said).size).toBe(sentences.length)
    expect(said).not.toContain(texts.text('passwordRefused'))
    expect(said[1]).toMatch(/5.*8.*128/)
  },
)
