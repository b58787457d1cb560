import { expect, test } from 'vitest'
import { groupLimits } from '../../src/categories/limits.ts'
import { judgeSchema } from '../../src/categories/schema.ts'

const notASchema = { violations: ['Invalid category schema.'] }

test.each([
  ['the empty text', ''],
  ['white space', ' \n'],
  ['no JSON', 'Region'],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '5'],
  ['a string', '"Region"'],
  ['the schema as a string in JSON', JSON.stringify('{"categorySchema":[{"title":"A"}]}')],
  ['an object without the member', '{}'],
  ['the member in other case', '{"CategorySchema":[{"title":"A"}]}'],
  ['a category in place of the schema', '{"title":"A"}'],
  ['null for the trees', '{"categorySchema":null}'],
  ['an object for the trees', '{"categorySchema":{"title":"A"}}'],
  ['the schema wrapped twice', '{"categorySchema":{"categorySchema":[{"title":"A"}]}}'],
  ['the trees as text', '{"categorySchema":"[{\\"title\\":\\"A\\"}]"}'],
  ['the member inherited', '{"__proto__":{"categorySchema":[{"title":"A"}]}}'],
  ['a list of lists', '[[{"title":"A"}]]'],
  ['a tree that is null', '{"categorySchema":[null]}'],
  ['a tree that is a string', '{"categorySchema":["A"]}'],
  ['a tree that is a list', '{"categorySchema":[["A"]]}'],
  ['one good tree and one bad', '{"categorySchema":[{"title":"A"},5]}'],
  ['no title', '{"categorySchema":[{}]}'],
  ['no title, but a description', '{"categorySchema":[{"description":"A"}]}'],
  ['a child without title', '{"categorySchema":[{"title":"A","categories":[{}]}]}'],
  ['a title inherited', '{"categorySchema":[{"__proto__":{"title":"A"}}]}'],
  ['a title in other case', '{"categorySchema":[{"Title":"A"}]}'],
  ['null for a title', '{"categorySchema":[{"title":null}]}'],
  ['a number for a title', '{"categorySchema":[{"title":1}]}'],
  ['a list for a title', '{"categorySchema":[{"title":["A"]}]}'],
  ['null for a title beside a source', '{"categorySchema":[{"title":null,"source":"ISO"}]}'],
  ['null for a description', '{"categorySchema":[{"title":"A","description":null}]}'],
  ['a number for a description', '{"categorySchema":[{"title":"A","description":1}]}'],
  ['null for categories', '{"categorySchema":[{"title":"A","categories":null}]}'],
  ['an object for categories', '{"categorySchema":[{"title":"A","categories":{}}]}'],
  ['a string for categories', '{"categorySchema":[{"title":"A","categories":""}]}'],
  ['a number for source, and no title', '{"categorySchema":[{"source":1}]}'],
  ['a trailing comma in a list', '{"categorySchema":[{"title":"A"},]}'],
  ['a trailing comma in an object', '{"categorySchema":[{"title":"A",}]}'],
  ['a byte order mark', '\ufeff{"categorySchema":[{"title":"A"}]}'],
  ['a comment', '{"categorySchema":[{"title":"A"}]} // A'],
  ['single quotes', "{'categorySchema':[{'title':'A'}]}"],
  ['a bare name', '{categorySchema:[{"title":"A"}]}'],
  ['a second value', '{"categorySchema":[{"title":"A"}]}{}'],
  ['an end too early', '{"categorySchema":[{"title":"A"}]'],
  ['a line break in a string', '{"categorySchema":[{"title":"A\nB"}]}'],
  ['NaN', '{"categorySchema":[{"title":"A","extra":NaN}]}'],
  ['a no-break space between', '{"categorySchema":\u00a0[{"title":"A"}]}'],
  ['a member given twice', '{"categorySchema":[{"title":"A","title":"B"}]}'],
  ['a member given twice with one value', '{"categorySchema":[{"title":"A","title":"A"}]}'],
  ['a member given twice, once with an escape', '{"categorySchema":[{"title":"A","\\u0074itle":"B"}]}'],
  ['the schema given twice', '{"categorySchema":[{"title":"A"}],"categorySchema":[{"title":"B"}]}'],
  ['a dropped member given twice', '{"categorySchema":[{"title":"A","extra":1,"extra":2}]}'],
  ['a dropped member of the schema given twice', '{"categorySchema":[{"title":"A"}],"extra":1,"extra":2}'],
  ['__proto__ given twice', '{"categorySchema":[{"title":"A","__proto__":1,"__proto__":2}]}'],
  ['a member given twice deep in a dropped one', '{"categorySchema":[{"title":"A","extra":[{"x":{"y":1,"y":1}}]}]}'],
])('%s is not a category schema', (_what, text) => {
  expect(judgeSchema(text, groupLimits)).toMatchObject(notASchema)
})

const schemaOf = (tree: string) => `{"categorySchema":[${tree}]}`

test.each([
  ['a bare list is a schema', '[{"title":"A"}]', '{"title":"A"}'],
  ['white space between is not kept', ' { "categorySchema" : [ { "title" : "A" } ]\n} ', '{"title":"A"}'],
  ['escapes that need not be are not kept', schemaOf('{"\\u0074itle":"\\u0041\\u0042"}'), '{"title":"AB"}'],
  ['the order of members is kept', schemaOf('{"categories":[],"description":"B","source":"S","title":"A"}'), undefined],
  ['an empty list of children is kept', schemaOf('{"title":"A","categories":[]}'), undefined],
  ['an empty description is kept', schemaOf('{"title":"A","description":""}'), undefined],
  ['spaces around a title are kept', schemaOf('{"title":"  A "}'), undefined],
  ['the source of a ready-made set is kept', schemaOf('{"title":"A","source":"ISO 19115"}'), undefined],
  ['a node with a source may lack title', schemaOf('{"source":"INSPIRE","categories":[{"source":"x"}]}'), undefined],
  ['an empty source is a source', schemaOf('{"source":""}'), undefined],
  ['a source that is no string is dropped', schemaOf('{"title":"A","source":{"a":1}}'), '{"title":"A"}'],
  ['the order of siblings is kept', schemaOf('{"title":"B"},{"title":"A"},{"title":"B"}'), undefined],
  [
    'other members of a category are dropped',
    schemaOf('{"id":7,"title":"A","count":1e999,"x":{"title":null}}'),
    '{"title":"A"}',
  ],
  ['members named by numbers are dropped', schemaOf('{"1":"x","title":"A","0":"y"}'), '{"title":"A"}'],
  ['other members of the schema are dropped', '{"v":1,"categorySchema":[{"title":"A"}],"x":[]}', '{"title":"A"}'],
  ['__proto__ is a member like others', schemaOf('{"__proto__":{"description":"B"},"title":"A"}'), '{"title":"A"}'],
  [
    'constructor is a member like others',
    schemaOf('{"constructor":{"prototype":{"x":1}},"title":"A"}'),
    '{"title":"A"}',
  ],
  ['__proto__ beside the trees is dropped', '{"__proto__":[],"categorySchema":[{"title":"A"}]}', '{"title":"A"}'],
  [
    'names that are equal only once normalized are two',
    schemaOf('{"title":"A","\u00e9":1,"e\u0301":2}'),
    '{"title":"A"}',
  ],
  [
    'one name in two objects is no repetition',
    schemaOf('{"title":"A","x":{"title":1},"y":[{"title":2},{"title":3}]}'),
    '{"title":"A"}',
  ],
  ['a name as a value is no repetition', schemaOf('{"title":"title","description":"\\"title\\":"}'), undefined],
])('%s', (_rule, text, tree) => {
  expect(judgeSchema(text, groupLimits)).toMatchObject({ document: tree === undefined ? text : schemaOf(tree) })
})

test('lone surrogates and NUL in a description or source are kept, written as escapes', () => {
  const text = schemaOf('{"title":"A","description":"\\ud800 \\u0000","source":"\\udfff"}')
  expect(judgeSchema(text, groupLimits)).toMatchObject({ document: text })
})
