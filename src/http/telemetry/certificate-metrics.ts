import { X509Certificate } from 'node:crypto'
import { Gauge, type Registry } from 'prom-client'

/** Finds the certificate chain in PEM that is served now; undefined where plain HTTP is served. */
export type FindCertificate = () => Buffer | undefined

export function showCertificate(findCertificate: FindCertificate, registry: Registry): void {
  new Gauge({
    name: 'cartulary_certificate_not_after_timestamp_seconds',
    help: 'Until when the certificate in TLS_CERT_FILE is valid, since the epoch; absent where plain HTTP is served.',
    registers: [registry],
    collect() {
      const certificate = findCertificate()
      if (certificate === undefined) this.remove()
      else this.set(Date.parse(new X509Certificate(certificate).validTo) / 1_000)
    },
  })
}
