import { test } from 'vitest'
import { startPortal } from './support/portal/portal.ts'
test('x', async () => {
  for (let r = 0; r < 3; r++) {
    const c0 = process.cpuUsage(); const t = performance.now()
    let a = 0, b = 0, c = 0, d = 0
    const n = 200
    for (let i = 0; i < n; i++) {
      const t0 = performance.now()
      const portal = await startPortal()
      const t1 = performance.now()
      const admin = await portal.admin()
      const t2 = performance.now()
      await admin.get('/portals/self')
      const t3 = performance.now()
      await portal[Symbol.asyncDispose]()
      const t4 = performance.now()
      a += t1 - t0; b += t2 - t1; c += t3 - t2; d += t4 - t3
    }
    const u = process.cpuUsage(c0)
    console.log('each', (performance.now() - t) / n, 'cpu', (u.user + u.system) / 1000 / n, { start: a / n, admin: b / n, get: c / n, close: d / n })
  }
})
