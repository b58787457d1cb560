import { mapParsed } from '../../call/parsed.ts'
import { portalNameLength } from '../../directory/portal.ts'
import { profileLimits, usernameLength } from '../../directory/user.ts'
import { operationRefused } from '../../errors.ts'
import { beginFirstRun, type FirstChoice, hashOfFirstRun } from '../../first-run/operations.ts'
import { sampleItems } from '../../first-run/sample.ts'
import { chooseLanguage } from '../../languages.ts'
import { exampleFirstRunSecret, exampleIds } from '../examples/examples.ts'
import { boolean, object, shortId, text } from '../shapes/shape.ts'
import { successShapeWith, successWith } from '../shapes/success.ts'
import { optionalLanguage } from './categories/language.ts'
import { type Endpoint, endpointsOf } from './endpoint.ts'
import { optionalBoolean, optionalName, type Parameter, requiredName, requiredText, Wrong } from './parameter-types.ts'
import { optionalEmail } from './people/email-parameter.ts'
import { signInTo } from './sign-in.ts'

const endpoint = endpointsOf('directory')

const { portalId } = exampleIds

/** Refusal of any invalid secret: it does not say why the secret is invalid. */
const ended = 'the link was used, has ended, or is another one. The operator makes one by "cartulary first-run".'
const linkEnded = `secret: ${ended}`

const secretPattern = /^[\w-]{43}$/

const secret: Parameter<string> = {
  type: 'string',
  isRequired: true,
  meaning: 'What is behind the number sign in the link that the server printed; in the body.',
  isSecret: true,
  read: (given) => (given !== undefined && secretPattern.test(given) ? given : new Wrong(ended)),
}

const token = 'none'
const source = 'chosen'

/** Failed attempts are counted under this name, which no user has. */
const attempts = 'first run:'

/** The link that the first start prints, and what it opens. */
export const firstRunRows: readonly Endpoint[] = [
  endpoint({
    id: 'readFirstRun',
    title: 'First run',
    task: 'read the first run',
    path: '/firstRun',
    parameters: { secret },
    token,
    who: 'Anyone',
    summary: 'Whether the link of the first run still opens; nothing else is said.',
    source,
    answers: { json: object({ open: boolean('Whether the organization can be set up by it.') }) },
    example: { moment: 'untouched', parameters: { secret: exampleFirstRunSecret }, answer: { open: true } },
    async answer({ input, dependencies: { random }, run }) {
      if ('problems' in input) throw operationRefused(...input.problems)
      const { isOpen } = await run({ linkHash: hashOfFirstRun(random, input.value.secret) })
      return { json: { open: isOpen } }
    },
  }),
  endpoint({
    id: 'completeFirstRun',
    title: 'Complete first run',
    task: 'set up the organization',
    goals: ['Set up a new server'],
    path: '/firstRun/complete',
    parameters: {
      secret,
      organizationName: requiredName('Name of the organization.', { maxLength: portalNameLength }),
      username: requiredText('Username of the administrator.', { maxLength: usernameLength.max }),
      password: requiredText('Password of the administrator; in the body.', { isSecret: true }),
      fullName: optionalName('Full name of the administrator; by default the username.', {
        maxLength: profileLimits.name,
      }),
      email: optionalEmail('E-mail address of the administrator; empty for none.'),
      sampleContent: optionalBoolean(
        'Also makes a category schema, a group with one of its own, and four items, to look at and to delete; default false.',
      ),
      language: optionalLanguage('Language of the sample content: ar, de, en, es, fr or ja; English by default.'),
    },
    token,
    isRateLimited: true,
    who: 'Anyone with the secret of the link that the first start printed',
    summary: 'Gives a new organization its name and its administrator, once.',
    source,
    extension: 'firstRun',
    chosen: [
      'The server makes the link when it creates the first organization without ADMIN_PASSWORD. It ends when it is used, 24 hours after it was made, when its administrator signs in, and when the organization has another user.',
      'All of it is one transaction. The administrator that the organization was made with is replaced by the chosen one; if the username is the same, the user is kept and gets the password.',
      'A wrong secret counts as a failed sign-in. The server keeps a hash of it alone, under which it is found: 256 random bits leave nothing to guess by time.',
      'The answer has no token: the administrator signs in as ever.',
    ],
    answers: {
      json: successShapeWith({
        organization: object({ id: shortId(), name: text() }),
        username: text('Who signs in.'),
      }),
    },
    example: {
      moment: 'untouched',
      parameters: {
        secret: exampleFirstRunSecret,
        organizationName: 'Ministry of Maps and Seas',
        username: 'maria',
        password: 'a long one that is hard to guess',
        fullName: 'Maria Meridian',
      },
      answer: { success: true, organization: { id: portalId, name: 'Ministry of Maps and Seas' }, username: 'maria' },
    },
    async answer(request) {
      const { input, requestParameters, dependencies, read, run } = request
      if (requestParameters.isInQuery('secret')) {
        throw operationRefused('Secrets belong in the body of the request, not in its URL.')
      }
      const given = requestParameters.find('secret')
      // A malformed secret is not counted as an attempt.
      if (!given || !('text' in given) || !secretPattern.test(given.text)) throw operationRefused(linkEnded)
      const { random, passwords, isCommonPassword } = dependencies
      const signIn = signInTo(attempts, request)
      const linkHash = hashOfFirstRun(random, given.text)
      const choice = mapParsed(input, choiceOf)
      const withPassword = mapParsed(input, (given) => ({
        ...choiceOf(given),
        password: { text: given.password, isCommon: isCommonPassword(given.password) },
      }))
      const { isOpen } = await read(beginFirstRun, { signIn, linkHash, choice: withPassword })
      const { password, sampleContent: wantsSample = false, language } = 'value' in input ? input.value : {}
      const isHashed = isOpen && password !== undefined
      const passwordHash = isHashed ? await passwords.hash(password, signIn.address) : undefined
      const userId = random.id()
      const sampleIds = wantsSample ? { groupId: random.id(), itemIds: sampleItems.map(() => random.id()) } : undefined
      const { completed } = await run({
        ...{ signIn, linkHash, choice, passwordHash, userId, sampleIds },
        language: chooseLanguage([language]),
      })
      if (!completed) throw operationRefused(linkEnded)
      dependencies.removeFirstRunFiles(given.text)
      const { portal, username } = completed
      request.noteSignIn(username)
      return successWith({ organization: { id: portal.portalId, name: portal.name }, username })
    },
  }),
]

interface GivenChoice {
  readonly organizationName: string
  readonly username: string
  readonly fullName: string | undefined
  readonly email: string | undefined
}

function choiceOf({ organizationName, username, fullName = '', email = '' }: GivenChoice): FirstChoice {
  return {
    organizationName: organizationName.trim(),
    username: username.trim(),
    fullName: fullName.trim(),
    email: email.trim(),
  }
}
