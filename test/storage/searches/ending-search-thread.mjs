// A search thread that ends in the middle of each search.
import { parentPort } from 'node:worker_threads'

parentPort.on('message', (message) => {
  if (message === 'close') parentPort.close()
  else process.exit()
})
parentPort.postMessage([{ result: undefined }])
