import { permissionDenied, refused, signInFailed, tokenInvalid } from '../../../support/portal/envelopes.ts'
import { changeTemporary } from '../../../support/portal/oauth.ts'
import { adminPassword, type Client, type Parameters } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const newPassword = 'another long password'

function update(client: Client, username: string, parameters: Parameters) {
  return client.post(`/community/users/${username}/update`, parameters)
}

describe('the profile', () => {
  test('has tags, culture, region and units', async ({ anna }) => {
    const profile = { tags: 'maps, field work', culture: 'pt-BR', region: 'BR', units: 'METRIC' }
    expect(await update(anna, 'anna', profile)).toEqual({ success: true, username: 'anna' })
    const changed = { tags: ['maps', 'field work'], culture: 'pt-BR', region: 'BR', units: 'metric' }
    expect(await anna.get('/community/self')).toMatchObject(changed)
    await update(anna, 'anna', { tags: '', culture: '', fullName: 'Anna Atlas' })
    expect(await anna.get('/community/self')).toMatchObject({ ...changed, fullName: 'Anna Atlas' })
    await update(anna, 'anna', { tags: '', culture: '', region: '', clearEmptyFields: true })
    expect(await anna.get('/community/self')).toMatchObject({ tags: [], culture: null, region: null, units: 'metric' })
  })

  test('is chosen from languages and regions', async ({ portal }) => {
    const languages = await portal.anonymous.get('/portals/languages')
    expect(languages).toContainEqual({
      language: 'Brazilian Portuguese',
      culture: 'pt-BR',
      localizedName: 'Português (Brasil)',
    })
    const regions = await portal.anonymous.get('/portals/regions')
    expect(regions[0]).toEqual({ name: 'World', region: 'WO', localizedName: 'World' })
    expect(regions).toContainEqual({ name: 'Switzerland', region: 'CH', localizedName: 'Switzerland' })
    for (const list of [languages, regions]) {
      for (const entry of list) expect(Object.values(entry)).not.toContain('')
    }
  })
})

describe('a password that is given with an update', () => {
  test('is set by an administrator, and ends the sessions of the user', async ({ portal, admin, anna }) => {
    expect(await update(admin, 'Anna', { password: newPassword, fullName: 'Anna Atlas' })).toEqual({
      success: true,
      username: 'anna',
    })
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: adminPassword })).toEqual(
      signInFailed,
    )
    const again = await changeTemporary(portal, 'anna', newPassword)
    expect(await again.get('/community/self')).toMatchObject({ fullName: 'Anna Atlas' })
  })

  test('is refused from anyone else, and nothing changes', async ({ admin, anna }) => {
    const role = await admin.createRole('Clerk', ['portal:user:viewOrgUsers', 'portal:admin:updateUsers'])
    const clerk = await admin.invite('clerk', role)
    const change = { password: newPassword, fullName: 'Renamed' }
    expect(await update(clerk, 'anna', change)).toEqual(permissionDenied)
    expect(await update(anna, 'anna', change)).toEqual(
      refused('update user', 'password: Your own password is changed by reset.'),
    )
    expect(await update(admin, 'anna', { ...change, password: 'short' })).toEqual(
      refused('update user', 'password: The password has 5 characters; 8 to 128 are allowed.'),
    )
    expect(await anna.get('/community/self')).toMatchObject({ fullName: 'anna' })
  })
})
