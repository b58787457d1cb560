import { findUsernameProblem, usernameKey } from '../../../../src/directory/user.ts'
import { firstOf, judgeRows, type ListColumns, type ListRow } from '../../tables/list.ts'
import { findingNamed, type NamedThings, withEnglish } from '../../tables/names.ts'
import { ofPeopleNew as t } from '../../texts/rooms.ts'
import { emptyPerson, type NewPerson } from './people-list.ts'

/** A person in a row of a list, with the ids of the groups to join. */
export interface ListedPerson extends NewPerson {
  readonly row: number
  readonly groups: readonly string[]
}

/** Columns of a list of people, by words of the languages of the pages. */
export function peopleColumns() {
  return {
    username: {
      name: t('username'),
      isRequired: true,
      words: `username user login account loginname benutzername benutzer anmeldename kennung nomdutilisateur utilisateur
        identifiant nombredeusuario usuario ユーザー名 اسمالمستخدم`,
    },
    fullName: {
      name: t('fullName'),
      isMany: true,
      words: `name fullname firstname givenname lastname surname vorname nachname familienname prenom nom nomcomplet nombre
        apellido apellidos nombrecompleto 氏名 名前 姓 名 الاسم الاسمالكامل`,
    },
    email: {
      name: t('email'),
      words: 'email mail emailaddress mailadresse emailadresse courriel correo メール البريدالإلكتروني',
    },
    role: { name: t('role'), words: 'role rolle rol ロール 役割 الدور' },
    groups: {
      name: t('groups'),
      isMany: true,
      separator: /[|;,\r\n]+/,
      words: 'group groups gruppe gruppen groupe groupes grupo grupos グループ المجموعة المجموعات',
    },
  } satisfies ListColumns
}

/** Judges people of a list: their usernames, and the roles and groups that they name. */
export function judgePeople(rows: readonly ListRow[], roles: NamedThings, groups: NamedThings) {
  const known = new Set<string>()
  const [findRole, findGroup] = [findingNamed(withEnglish(roles)), findingNamed(groups)]
  return judgeRows(rows, (listed, refuse): ListedPerson => {
    const { row, values } = listed
    const username = firstOf(listed, 'username')
    const key = usernameKey(username)
    const about = { value: username }
    if (username === '') refuse('username', t('noUsername'))
    else if (findUsernameProblem(username)) refuse('username', t('badUsername', about), about)
    else if (known.has(key)) refuse('username', t('sameUsername', about), about)
    known.add(key)
    const given = firstOf(listed, 'role')
    const { id: role = '', meant } = given === '' ? { id: emptyPerson.role, meant: undefined } : findRole(given)
    if (role === '') refuse('role', t('noRole', { value: given }), { value: given, meant })
    const joined = (values['groups'] ?? []).flatMap((value) => {
      const { id, meant } = findGroup(value)
      if (id === undefined) refuse('groups', t('noGroup', { value }), { value, meant })
      return id ?? []
    })
    const fullName = (values['fullName'] ?? []).join(' ')
    return { row, username, fullName, email: firstOf(listed, 'email'), role, groups: joined }
  })
}
