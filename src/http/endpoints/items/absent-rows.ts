import { say } from '../../../sentences/say.ts'
import { itemId } from '../../examples/items.ts'
import { constant, integer, list, object, text } from '../../shapes/shape.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { requiredText } from '../parameter-types.ts'
import { whoSeesItem } from './side-rows.ts'

const endpoint = endpointsOf('items')

const folderUsers = 'The user; administrators, and custom roles with portal:admin:viewItems'
const folderId = '0b1c2d3e4f5061728394a5b6c7d8e9f0'

const refusal = { code: integer('Always 400.'), message: text(), details: list(text(), 'Why; may be empty.') }
const refusalShape = object({ error: object(refusal) })
const noInfoShape = object({ error: object({ ...refusal, messageCode: constant('CONT_0036') }) })

const noFolder = (task: string) => ({
  error: { code: 400, message: say('taskRefused', { task }), details: ['There are no folders here.'] },
})

const noInfo = {
  error: {
    code: 400,
    messageCode: 'CONT_0036' as const,
    message: 'Item info file does not exist or is inaccessible.',
    details: [],
  },
}

/** Operations that clients call but this server does not have: each caller who sees the user or the item gets the same refusal. */
export const absentRows: readonly Endpoint[] = [
  endpoint({
    id: 'createFolder',
    title: 'Create folder',
    path: '/content/users/:username/createFolder',
    parameters: { title: requiredText('Title of the folder.') },
    who: folderUsers,
    summary: 'Always refused: there are no folders here.',
    isAlwaysRefused: true,
    answers: { json: refusalShape },
    example: { ids: { username: 'admin' }, parameters: { title: 'Maps' }, answer: noFolder('create folder') },
    answer: ({ ids, run }) => run(ids),
  }),
  endpoint({
    id: 'readFolder',
    title: 'Folder of the user',
    path: '/content/users/:username/:folderId',
    who: folderUsers,
    summary: 'Always refused: there are no folders here.',
    isAlwaysRefused: true,
    answers: { json: refusalShape },
    example: { ids: { username: 'admin', folderId }, answer: noFolder('read folder') },
    answer: ({ ids, run }) => run(ids),
  }),
  endpoint({
    id: 'useFolder',
    title: 'Operation in a folder',
    path: '/content/users/:username/:folderId/:folderOperation',
    who: folderUsers,
    summary:
      'Adding an item to a folder, renaming or deleting it, and the like. Always refused: there are no folders here.',
    isAlwaysRefused: true,
    answers: { json: refusalShape },
    example: {
      ids: { username: 'admin', folderId, folderOperation: 'addItem' },
      answer: noFolder('use folder'),
    },
    answer: ({ ids, run }) => run(ids),
  }),
  endpoint({
    id: 'readItemInfo',
    title: 'Information file of the item',
    path: '/content/items/:itemId/info/:infoName',
    token: 'optional',
    who: whoSeesItem,
    summary: 'A file that describes the item, such as form.json. Always refused: none are kept here.',
    isAlwaysRefused: true,
    answers: { json: noInfoShape },
    example: { ids: { itemId, infoName: 'form.json' }, answer: noInfo },
    answer: ({ ids, run }) => run(ids),
  }),
  endpoint({
    id: 'readItemInfoFile',
    title: 'Thumbnail or metadata of the item',
    task: 'read item info',
    path: '/content/items/:itemId/info/:infoName/:fileName',
    token: 'optional',
    who: whoSeesItem,
    summary: 'A thumbnail or metadata. Always refused: none are kept here.',
    isAlwaysRefused: true,
    answers: { json: noInfoShape },
    example: { ids: { itemId, infoName: 'thumbnail', fileName: 'ago_downloaded.png' }, answer: noInfo },
    answer: ({ ids, run }) => run(ids),
  }),
]
