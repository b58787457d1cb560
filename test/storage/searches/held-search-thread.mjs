// A search thread that a system call holds until the pipe at its path has a writer.
import { openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

parentPort.on('message', (message) => message === 'close' && parentPort.close())
parentPort.postMessage([{ result: undefined }])
Atomics.add(workerData.settings, 0, 1)
openSync(workerData.path)
