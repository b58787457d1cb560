// Preloaded into a server, and so into its write thread: that one ends by itself, as by a bug, when it is sent a command
// that says so. It waits for a file first, so that others are sent meanwhile.
import { existsSync } from 'node:fs'
import { isMainThread, parentPort } from 'node:worker_threads'

if (!isMainThread) {
  parentPort.on('message', (message) => {
    if (!JSON.stringify(message).includes('end of the thread')) return
    while (!existsSync('end')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    process.exit(3)
  })
}
