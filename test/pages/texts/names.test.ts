import { describe, expect, test } from 'vitest'
import { namesOf, titleOfPage } from '../../../pages/src/texts/names.ts'

describe('a person is shown', () => {
  test.each([
    ['by the full name, with the username beside it', 'anna', 'Anna Berg', { name: 'Anna Berg', username: 'anna' }],
    ['with the username where the full name is that of another', 'eve', 'admin', { name: 'admin', username: 'eve' }],
    ['with the username where only the case differs', 'anna', 'Anna', { name: 'Anna', username: 'anna' }],
    ['once where the names are equal', 'anna', 'anna', { name: 'anna', username: undefined }],
    ['by the username without a full name', 'anna', '', { name: 'anna', username: undefined }],
    ['by the username where the log has no full name', 'anna', null, { name: 'anna', username: undefined }],
  ])('%s', (_, username, fullName, names) => {
    expect(namesOf(username, fullName)).toEqual(names)
  })
})

describe('the title of a page', () => {
  test.each([
    ['Groups', 'Ministry of Maps', 'Groups · Ministry of Maps · Cartulary'],
    ['Groups', undefined, 'Groups · Cartulary'],
    ['Groups', 'Cartulary', 'Groups · Cartulary'],
    ['Cartulary', 'Cartulary', 'Cartulary'],
    ['Maps', ' Maps ', 'Maps · Cartulary'],
  ])('of %s of %s is %s', (heading, organization, title) => {
    expect(titleOfPage(heading, organization, 'ltr')).toBe(title)
  })
})
