import { mapParsed } from '../../../call/parsed.ts'
import { withAddresses } from '../../../oauth/apps/app.ts'
import { builtInAnswers, exampleAppAnswer, registration } from '../../examples/apps.ts'
import { exampleIds, generatedIds, singlePage } from '../../examples/examples.ts'
import { appShape, appToWire, usesToWire } from '../../shapes/oauth/app.ts'
import { pageMembers, pageToWire } from '../../shapes/page.ts'
import { list, nullable, object, text } from '../../shapes/shape.ts'
import { successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { guard, onlyGiven, optionalInteger, requiredText } from '../parameter-types.ts'
import { expiration, registrationParameters, switchParameters } from './app-parameters.ts'

const endpoint = endpointsOf('oauth')

const governors = 'administrators, and custom roles with portal:admin:manageSecurity'
const owners = `Owner of the item; ${governors}`
const ids = { clientId: exampleIds.clientId } as const
const moment = 'registered'
const secretOnce =
  'Apps of the types server and multiple get a secret. It is shown once; only a hash of it is kept. It ends, and so do the tokens that it was used for; its owner and administrators are reminded 30 and 7 days before, where the server sends mail and the secret was made for longer.'

/** Apps: their registration, their secrets, and the switches of built-in ones. */
export const appRows: readonly Endpoint[] = [
  endpoint({
    id: 'listApps',
    title: 'Apps',
    path: '/oauth2/apps',
    parameters: pageParameters,
    who: 'Administrators, and custom roles with portal:admin:manageSecurity',
    summary: 'The apps of the organization, and the built-in ones with whether they are switched off.',
    source: 'chosen',
    answers: { json: object({ ...pageMembers, apps: list(appShape), builtIn: list(appShape) }) },
    example: { moment, answer: { ...singlePage('apps', [exampleAppAnswer]), builtIn: builtInAnswers } },
    async answer({ input, publicUrl, run }) {
      const found = await run({ page: input })
      const page = pageToWire('apps', found, (app) => appToWire(app))
      return { json: { ...page, builtIn: found.builtIn.map((app) => appToWire(withAddresses(app, publicUrl))) } }
    },
  }),
  endpoint({
    id: 'registerApp',
    title: 'Register app',
    path: '/oauth2/registerApp',
    parameters: {
      itemId: requiredText('Id of an item of type Application.', { maxLength: 128 }),
      ...registrationParameters,
      expiration,
    },
    who: owners,
    summary: 'Registers an app for an item, so that users of the organization sign in to it.',
    chosen: [
      'An item has one app at most, which ends with it.',
      secretOnce,
      'With the setting `ORGANIZATION_APPS=administrators`, owners are refused who do not govern the apps.',
      'Its title has at most 64 letters, no control of direction, and does not look like ArcGIS, Cartulary, Administrator, a built-in app or the organization; apps that are registered keep theirs.',
      'Without appType it is multiple. Privileges that the caller does not hold are refused; without the list, the app may see what groups, items and users the organization shares.',
    ],
    answers: { json: appShape },
    example: {
      parameters: registration,
      answer: { ...exampleAppAnswer, client_id: generatedIds.shortId, client_secret: generatedIds.token },
    },
    async answer({ input, settings, dependencies: { random }, run }) {
      const secret = random.token()
      const given = mapParsed(input, ({ appType = 'multiple', redirect_uris, expiration, ...others }) => ({
        ...onlyGiven({ redirectUris: redirect_uris, secretDays: expiration, ...others }),
        itemId: others.itemId,
        appType,
      }))
      const prepared = { clientId: random.shortId(), secretHash: random.hashToken(secret) }
      const made = await run({ ...prepared, isForMembers: settings.membersRegisterApps, given })
      return { json: appToWire(made.app, made.hasNewSecret ? secret : undefined) }
    },
  }),
  endpoint({
    id: 'readApp',
    title: 'App',
    path: '/oauth2/apps/:clientId',
    who: `${owners}; built-in apps only the latter`,
    summary: 'An app, without its secret.',
    answers: { json: appShape },
    example: { ids, moment, answer: { ...exampleAppAnswer, lastUses: [] } },
    async answer({ ids: { clientId }, publicUrl, run }) {
      const { app, lastUses } = await run({ clientId })
      return { json: { ...appToWire(withAddresses(app, publicUrl)), lastUses: usesToWire(lastUses) } }
    },
  }),
  endpoint({
    id: 'updateApp',
    title: 'Update app',
    path: '/oauth2/apps/:clientId/update',
    parameters: { ...registrationParameters, ...switchParameters },
    who: `${owners}; asksNothing, disabled and built-in apps only the latter`,
    summary: 'Changes the given properties; the others are unchanged.',
    chosen: [
      'The switches allowsPlain, cannotProve, queryMayDiffer, rotatesAlways, asksNothing and disabled.',
      'Of a built-in app, an organization sets disabled alone, for its own users.',
      'An app that becomes of type server or multiple gets a secret, which the answer shows; one that becomes browser or native loses it, and every session that it got by it ends.',
      'Privileges that are new and that the caller does not hold are refused.',
      'Other values end the confirmation of an app with an owner, but those of httpReferrers, asksNothing and disabled; given by others than administrators, they end asksNothing too.',
    ],
    answers: { json: appShape },
    example: {
      ids,
      moment,
      parameters: { redirect_uris: '["https://rivers.example.org/","https://rivers.example.org/signed-in"]' },
      answer: {
        ...exampleAppAnswer,
        redirect_uris: ['https://rivers.example.org/', 'https://rivers.example.org/signed-in'],
      },
    },
    async answer({ ids: { clientId }, input, publicUrl, dependencies: { random }, run }) {
      const secret = random.token()
      const change = mapParsed(input, ({ redirect_uris, disabled, ...others }) =>
        onlyGiven({ ...others, redirectUris: redirect_uris, isDisabled: disabled }),
      )
      const made = await run({ clientId, secretHash: random.hashToken(secret), change })
      return { json: appToWire(withAddresses(made.app, publicUrl), made.hasNewSecret ? secret : undefined) }
    },
  }),
  endpoint({
    id: 'confirmApp',
    title: 'Confirm app',
    path: '/oauth2/apps/:clientId/confirm',
    parameters: {
      ifModified: guard(
        optionalInteger('What modified of the app has to be, as it was read, else 409.', { minimum: 0 }),
        'to confirm the app whatever it is',
      ),
    },
    who: 'Default administrators only',
    summary: 'Lets the app do what its registration lists, whatever the owner of its item may do.',
    source: 'chosen',
    chosen: [
      'Ends where the item gets another owner, and by an update of what was confirmed; asksNothing ends so too.',
    ],
    // The page of the app links it for what is seen there.
    answers: { json: appShape },
    example: { ids, moment, answer: { ...exampleAppAnswer, confirmed: true } },
    answer: async ({ ids: { clientId }, input, run }) => ({
      json: appToWire((await run({ clientId, expected: input })).app),
    }),
  }),
  endpoint({
    id: 'unregisterApp',
    title: 'Unregister app',
    path: '/oauth2/apps/:clientId/unregister',
    who: owners,
    summary: 'Ends the app, with every sign-in to it. Its item stays.',
    answers: { json: successShapeWith({ itemId: nullable(text()) }) },
    example: { ids, moment, answer: { success: true, itemId: exampleAppAnswer.itemId } },
    async answer({ ids: { clientId }, run }) {
      const { app } = await run({ clientId })
      return successWith({ itemId: app.itemId ?? null })
    },
  }),
  endpoint({
    id: 'renewAppSecret',
    title: 'Renew secret',
    task: 'renew secret',
    path: '/oauth2/apps/:clientId/renewSecret',
    parameters: { expiration },
    who: owners,
    summary:
      'Makes another secret, and shows it once. The present one stays valid until endFormerSecret; one before that ends, with the tokens that the app got for itself.',
    source: 'chosen',
    chosen: [
      'Needs all privileges of the app, or portal:admin:manageSecurity; so does an update by which the app gets a secret.',
      'An app whose item got another owner has no secret until then.',
    ],
    answers: { json: appShape },
    example: {
      ids,
      moment,
      answer: {
        ...exampleAppAnswer,
        hasFormerSecret: true,
        formerSecretExpires: exampleAppAnswer.secretExpires,
        client_secret: generatedIds.token,
      },
    },
    async answer({ ids: { clientId }, input, dependencies: { random }, run }) {
      const secret = random.token()
      const secretDays = mapParsed(input, (given) => given.expiration)
      const { app } = await run({ clientId, secretHash: random.hashToken(secret), secretDays })
      return { json: appToWire(app, secret) }
    },
  }),
  endpoint({
    id: 'endFormerAppSecret',
    title: 'End former secret',
    task: 'end former secret',
    path: '/oauth2/apps/:clientId/endFormerSecret',
    who: owners,
    summary:
      'Completes the renewal of the secret. Tokens that the app got for itself end: by the present secret it gets others.',
    source: 'chosen',
    answers: { json: appShape },
    example: { ids, moment: 'renewed', answer: exampleAppAnswer },
    answer: async ({ ids: { clientId }, run }) => ({ json: appToWire((await run({ clientId })).app) }),
  }),
  endpoint({
    id: 'readItemApp',
    title: 'Registered app',
    task: 'read app',
    path: '/content/users/:username/items/:itemId/registeredAppInfo',
    who: owners,
    summary: 'The app that is registered for an item, without its secret.',
    answers: { json: appShape },
    example: {
      ids: { username: 'admin', itemId: registration.itemId },
      moment,
      answer: { ...exampleAppAnswer, lastUses: [] },
    },
    async answer({ ids: path, run }) {
      const { app, lastUses } = await run(path)
      return { json: { ...appToWire(app), lastUses: usesToWire(lastUses) } }
    },
  }),
]
