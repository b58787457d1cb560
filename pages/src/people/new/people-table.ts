import { findUsernameProblem, usernameKey } from '../../../../src/directory/user.ts'
import { firstOf, type ListColumns, type ListRow, type Wrong } from '../../tables/list.ts'
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
export function judgePeople(
  rows: readonly ListRow[],
  roles: NamedThings,
  groups: NamedThings,
): { readonly ready: readonly ListedPerson[]; readonly wrong: readonly Wrong[] } {
  const wrong: Wrong[] = []
  const ready: ListedPerson[] = []
  const known = new Set<string>()
  const [findRole, findGroup] = [findingNamed(withEnglish(roles)), findingNamed(groups)]
  for (const listed of rows) {
    const { row, values } = listed
    const username = firstOf(listed, 'username')
    const key = usernameKey(username)
    const before = wrong.length
    const refuse = (role: string, value: string, problem: string, meant?: string) =>
      wrong.push({ row, role, value, problem, meant })
    if (username === '') wrong.push({ row, role: 'username', problem: t('noUsername') })
    else if (findUsernameProblem(username)) refuse('username', username, t('badUsername', { value: username }))
    else if (known.has(key)) refuse('username', username, t('sameUsername', { value: username }))
    known.add(key)
    const given = firstOf(listed, 'role')
    const role = given === '' ? { id: emptyPerson.role } : findRole(given)
    if (role.id === undefined) refuse('role', given, t('noRole', { value: given }), role.meant)
    const joined = (values['groups'] ?? []).flatMap((name) => {
      const group = findGroup(name)
      if (group.id === undefined) refuse('groups', name, t('noGroup', { value: name }), group.meant)
      return group.id ?? []
    })
    if (wrong.length > before) continue
    const fullName = (values['fullName'] ?? []).join(' ')
    ready.push({ row, username, fullName, email: firstOf(listed, 'email'), role: role.id ?? '', groups: joined })
  }
  return { ready, wrong }
}
