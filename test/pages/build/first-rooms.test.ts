import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listFirstRooms } from '../../../pages/build/first-rooms.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartulary-rooms-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** A room with texts. */
function roomOf(name: string): Readonly<Record<string, string>> {
  return { [`${name}/texts.ts`]: '' }
}

test('the first screen loads the texts of the frame, and of nothing that other screens alone use', () => {
  const sources = fileURLToPath(new URL('../../../pages/src/', import.meta.url))
  expect(listFirstRooms(sources)).toEqual(['elements', 'frame', 'home'])
})

test('what the frame and the first screen import has its texts: on demand too, but for types and other screens', () => {
  const names = ['frame', 'home', 'elements', 'drafts', 'later', 'typed', 'editor', 'people/roles']
  write({
    ...Object.assign({}, ...names.map(roomOf)),
    'main.ts': "import './frame/app.ts'\n",
    'frame/app.ts':
      "import { t } from './texts.ts'\nimport {\n  a,\n  b,\n} from '../elements/a.ts'\nimport { screens } from '../screens.ts'\n",
    'elements/a.ts': "import type { T } from '../typed/texts.ts'\nexport { t } from './texts.ts'\n",
    'home/home.ts': "import { t } from '../drafts/texts.ts'\nconst load = () => import('../later/late.ts')\n",
    'later/late.ts': "import { t } from './texts.ts'\n",
    'screens.ts': "export const load = () => import('./editor/texts.ts')\n",
  })
  expect(listFirstRooms(folder)).toEqual(['drafts', 'elements', 'frame', 'later'])
})
