import type { Caller } from '../../../support/portal/actors.ts'

/** Callers, with words about each group of them. */
export type ActorGroups = Readonly<Record<string, readonly Caller[]>>

export const otherActors: ActorGroups = {
  'callers without a token that counts': ['anonymous', 'unknownToken', 'expiredToken', 'revokedToken', 'disabledUser'],
  'the administrator of another organization': ['outsider'],
  'owner, manager and member of a group': ['owner', 'manager', 'member'],
  'apps that act as themselves': ['app', 'mightyApp'],
}

/** Those who are the most. */
export const insiders: ActorGroups = {
  'members of the organization, by their roles': [
    'viewer',
    'user',
    'publisher',
    'holder',
    'lacking',
    'everything',
    'administrator',
  ],
}
