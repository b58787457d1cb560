// Has a server run from its sources, though `npm start` may have bundled them: what tests observe in packages is then in one place.
import { setEnvironmentData } from 'node:worker_threads'
import { decided } from '../../../bin/compiled-modules.mjs'

setEnvironmentData(decided, '')
