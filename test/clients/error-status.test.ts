import { getSelf } from '@esri/arcgis-rest-portal'
import { ArcGISAuthError, ArcGISRequestError, request, revokeToken } from '@esri/arcgis-rest-request'
import { expect, test } from '../support/portal/client-test.ts'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

/** Why `envelope` is the default: with HTTP_ERROR_STATUS=match the same client knows less, and no longer recovers. */
const match = { HTTP_ERROR_STATUS: 'match' }

async function assignNothing(portal: ListeningPortal): Promise<ArcGISRequestError> {
  const assign = request(`${portal.url}/portals/self/assignCategorySchema`, {
    authentication: await portal.identity(),
    params: { categorySchema: { categorySchema: [] } },
  })
  return rejectionOf(assign, ArcGISRequestError)
}

test('with envelope, a refused schema has its message code and its message', async ({ portal }) => {
  const error = await assignNothing(portal)
  expect(error.code).toBe('ORG_1132')
  expect(error.originalMessage).toBe('Unable to assign category schema.')
})

test('with match, a refused schema loses its message code, and the client runs message and details together', async () => {
  await using portal = await startListeningPortal(match)
  const error = await assignNothing(portal)
  expect(error.code).toBe('HTTP 400 Bad Request')
  expect(error.originalMessage).toBe(
    'Unable to assign category schema.. Category schema exceeds max tree size or empty.',
  )
  expect(error.response.error.messageCode).toBe('ORG_1132')
})

test('with match, a schema that is not there is the HTTP status instead of a number', async () => {
  await using portal = await startListeningPortal(match)
  const authentication = await portal.identity()
  const remove = request(`${portal.url}/portals/self/deleteCategorySchema`, { authentication })
  expect((await rejectionOf(remove, ArcGISRequestError)).code).toBe('HTTP 404 Not Found')
})

test('with envelope, a revoked token is an ArcGISAuthError, from which the client recovers', async () => {
  await using portal = await startListeningPortal()
  const authentication = await portal.identity()
  await revokeToken({ token: authentication.token, portal: portal.url, clientId: '' })
  expect(await getSelf({ authentication })).toMatchObject({ user: { username: 'admin' } })
})

test('with match, a revoked token is any other error, and the client gives up', async () => {
  await using portal = await startListeningPortal(match)
  const authentication = await portal.identity()
  await revokeToken({ token: authentication.token, portal: portal.url, clientId: '' })
  const error = await rejectionOf(getSelf({ authentication }), ArcGISRequestError)
  expect(error).not.toBeInstanceOf(ArcGISAuthError)
  expect(error.code).toMatch(/^HTTP 498/)
})

test('with match, a missing token is not seen as one', async () => {
  await using portal = await startListeningPortal(match)
  const error = await rejectionOf(request(`${portal.url}/community/self`), ArcGISRequestError)
  expect(error).not.toBeInstanceOf(ArcGISAuthError)
  expect(error.code).toMatch(/^HTTP 499/)
})
