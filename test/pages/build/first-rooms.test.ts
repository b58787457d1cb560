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

test('the first screen loads the texts of the frame, and of nothing that other screens alone use', () => {
  const sources = fileURLToPath(new URL('../../../pages/src/', import.meta.url))
  expect(listFirstRooms(sources)).toEqual(['elements', 'frame', 'home'])
})

test('what the frame and the first screen import has its texts: on demand too, but for types and other screens', () => {
  const rooms = {
    Frame: 'frame',
    Elements: 'elements',
    Drafts: 'drafts',
    Late: 'later',
    Typed: 'typed',
    Editor: 'editor',
    Roles: 'people/roles',
  }
  const named = Object.entries(rooms).map(([name, room]) => `export const of${name} = textsOf('${room}')\n`)
  write({
    'texts/rooms.ts': named.join(''),
    'main.ts': "import './frame/app.ts'\n",
    'frame/app.ts':
      "import { ofFrame as t } from '../texts/rooms.ts'\nimport {\n  a,\n  b,\n} from '../elements/a.ts'\nimport { screens } from '../screens.ts'\n",
    'elements/a.ts': "import type { T } from '../typed/t.ts'\nimport { ofElements } from '../texts/rooms.ts'\n",
    'home/home.ts':
      "import { ofDrafts, ofDrafts as t } from '../texts/rooms.ts'\nconst load = () => import('../later/late.ts')\n",
    'later/late.ts': "import { ofLate as t } from '../texts/rooms.ts'\n",
    'typed/t.ts': "import { ofTyped as t } from '../texts/rooms.ts'\n",
    'editor/editor.ts': "import { ofEditor as t } from '../texts/rooms.ts'\n",
    'screens.ts': "export const load = () => import('./editor/editor.ts')\n",
  })
  expect(listFirstRooms(folder)).toEqual(['drafts', 'elements', 'frame', 'later'])
})
