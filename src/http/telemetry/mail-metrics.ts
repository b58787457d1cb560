import { Counter, type Registry } from 'prom-client'
import type { Mailer } from '../../mail/mailer.ts'

export function showMails(mailer: Mailer | undefined, registry: Registry): void {
  new Counter({
    name: 'cartulary_mails_total',
    help: 'Mails, by result: sent, refused by the mail server for good, or failed, which is given up.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      const counts = mailer?.counts() ?? { sent: 0, refused: 0, failed: 0 }
      for (const [result, count] of Object.entries(counts)) this.inc({ result }, count)
    },
  })
}
