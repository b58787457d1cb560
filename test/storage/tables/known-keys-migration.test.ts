import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addressOf } from '../../../src/collaborations/known-address.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPortal, openEarlier } from './earlier-database.ts'

/** The guest's participations from before: two of one host, under two keys, and one of another host. */
const participations = [
  ['c1', 'host1', 'later key', 20],
  ['c2', 'host1', 'first key', 10],
  ['c3', 'host2', 'another key', 30],
] as const

test(`on ${engine}, hosts are known by the first key that was accepted`, async () => {
  const { db } = await openEarlier('002')
  await addPortal(db, 'guest')
  for (const [id, host, fingerprint, at] of participations) {
    await sql`insert into participations (portal_id, collaboration_id, name, description, host_portal_id,
      host_portal_name, host_portal_url, host_first_name, host_last_name, host_email, host_fingerprint,
      guest_first_name, guest_last_name, guest_email, guest_portal_url, invitation_id, invitation_digest,
      created_at, modified_at) values ('guest', ${id}, '', '', ${host}, '', ${`https://${host}.example.org/Maps`}, '', '', '', ${fingerprint},
      '', '', '', '', '', '', ${at}, ${at})`.execute(db)
  }
  await migrate(db)

  const keys = db.selectFrom('known_keys').select(['portal_id', 'signer_portal_id', 'fingerprint'])
  const since = sql<string>`cast(known_since as text)`.as('since')
  expect(await keys.select(since).orderBy('signer_portal_id').execute()).toEqual([
    { portal_id: 'guest', signer_portal_id: 'host1', fingerprint: 'first key', since: '10' },
    { portal_id: 'guest', signer_portal_id: 'host2', fingerprint: 'another key', since: '30' },
  ])
  const ids = db.selectFrom('participations').select(['collaboration_id', 'host_collaboration_id'])
  expect(await ids.orderBy('collaboration_id').execute()).toEqual(
    participations.map(([id]) => ({ collaboration_id: id, host_collaboration_id: id })),
  )
  const addresses = db.selectFrom('known_addresses').select(['portal_id', 'address', 'signer_portal_id'])
  expect(await addresses.select(since).orderBy('address').execute()).toEqual([
    { portal_id: 'guest', address: 'host1.example.org/maps', signer_portal_id: 'host1', since: '10' },
    { portal_id: 'guest', address: 'host2.example.org/maps', signer_portal_id: 'host2', since: '30' },
  ])
})

test(`on ${engine}, guests are known at the URLs by which they take part, if their key is known`, async () => {
  const { db } = await openEarlier('028')
  await addPortal(db, 'host')
  await sql`insert into collaborations (collaboration_id, host_portal_id, name, description, contact_first_name,
    contact_last_name, contact_email, config, created_at, modified_at)
    values ('c1', 'host', '', '', '', '', '', '{}', 0, 0)`.execute(db)
  for (const [portal, role, at] of [
    ['host', 'Host', 1],
    ['guest1', 'Guest', 20],
    ['guest2', 'Guest', 30],
  ] as const) {
    await sql`insert into participants (collaboration_id, portal_id, portal_name, portal_url, role,
      contact_first_name, contact_last_name, contact_email, created_at, modified_at)
      values ('c1', ${portal}, '', ${`http://${portal}.example.org`}, ${role}, '', '', '', ${at}, ${at})`.execute(db)
  }
  await sql`insert into known_keys (portal_id, signer_portal_id, fingerprint, known_since)
    values ('host', 'guest1', 'a key', 40)`.execute(db)
  await migrate(db)
  const addresses = db.selectFrom('known_addresses').select(['portal_id', 'address', 'signer_portal_id'])
  expect(await addresses.execute()).toEqual([
    { portal_id: 'host', address: 'guest1.example.org', signer_portal_id: 'guest1' },
  ])
})

const spellings = [
  ['https://maps.example.org', 'maps.example.org'],
  ['http://maps.example.org.', 'maps.example.org'],
  ['https://maps.example.org:80', 'maps.example.org'],
  ['http://maps.example.org:443/home', 'maps.example.org'],
  ['https://maps.example.org/sharing/rest', 'maps.example.org'],
  ['https://maps.example.org:7443//My%20Portal', 'maps.example.org:7443/my portal'],
  ['https://maps.example.org/50%', 'maps.example.org/50%'],
  ['https://maps.example.org/to/http://other', 'maps.example.org/to/http:/other'],
] as const

test(`on ${engine}, hosts are known at addresses as they are written from then on`, async () => {
  const { db } = await openEarlier('028')
  await addPortal(db, 'guest')
  for (const [position, [url]] of spellings.entries()) {
    const host = `host${position}`
    await sql`insert into participations (portal_id, collaboration_id, host_collaboration_id, name, description,
      host_portal_id, host_portal_name, host_portal_url, host_first_name, host_last_name, host_email, host_fingerprint,
      guest_first_name, guest_last_name, guest_email, guest_portal_url, invitation_id, invitation_digest,
      created_at, modified_at) values ('guest', ${host}, ${host}, '', '', ${host}, '', ${url}, '', '', '', '',
      '', '', '', '', '', '', 0, 0)`.execute(db)
    await sql`insert into known_keys (portal_id, signer_portal_id, fingerprint, known_since)
      values ('guest', ${host}, 'a key', 0)`.execute(db)
  }
  await migrate(db)
  const known = await db.selectFrom('known_addresses').select('address').orderBy('signer_portal_id').execute()
  expect(known.map(({ address }) => address)).toEqual(spellings.map(([, address]) => address))
  expect(known.map(({ address }) => address)).toEqual(spellings.map(([url]) => addressOf(url)))
})
