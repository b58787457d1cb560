import { writeFileSync } from 'node:fs'
import { makeCertificate, writeCertificate } from '../../support/portal/certificate.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { scrape } from '../../support/portal/scrape.ts'
import { expect, test } from '../../support/portal/test.ts'

const name = 'cartulary_certificate_not_after_timestamp_seconds'

test('plain HTTP has no certificate', async ({ portal }) => {
  expect((await scrape(portal.server.app)).series.get(name)).toBeUndefined()
})

test('a certificate has its end, and a renewed one its own, from the moment at which it is used', async () => {
  const environment = writeCertificate('maps.example.com')
  await using portal = await startPortal({ environment: { ...environment, PORT: '0' }, isReused: false })
  await portal.server.listen()
  const { cert, key } = makeCertificate('maps.example.com', '200101', '390131')
  writeFileSync(environment.TLS_CERT_FILE, cert)
  writeFileSync(environment.TLS_KEY_FILE, key)
  expect((await scrape(portal.server.app)).series.get(name)).toBe(Date.UTC(2049, 11, 31, 23, 59, 59) / 1_000)
  portal.server.certificate()!.renew()
  await portal.server.certificate()!.looked()
  expect((await scrape(portal.server.app)).series.get(name)).toBe(Date.UTC(2039, 0, 31, 23, 59, 59) / 1_000)
})
