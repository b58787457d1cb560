import { Gauge, type Registry } from 'prom-client'
import { type Attention, conditions } from '../../operations/attention.ts'

export function showAttention(attention: Attention, registry: Registry): void {
  new Gauge({
    name: 'cartulary_attention',
    help: 'Whether something needs a person, by condition: 1 while it holds, else 0.',
    labelNames: ['condition'],
    registers: [registry],
    collect() {
      const found = new Set(attention.list().map(({ condition }) => condition))
      for (const condition of conditions) this.set({ condition }, found.has(condition) ? 1 : 0)
    },
  })
}
