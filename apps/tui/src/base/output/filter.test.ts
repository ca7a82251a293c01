import { describe, expect, test, vi } from 'vitest'
import { jq } from '../jq.ts'
import { createFilter } from './filter.ts'

const servers = [
  { id: 1, name: 'web-1', cpu: 92.5, groups: ['web', 'eu'], note: null },
  { id: 2, name: 'db "a"', cpu: 3, groups: [], note: 'x\ty' },
  { id: 3, name: 'web-2', cpu: 92.5, groups: ['web'], note: '' },
]

/** Filters and what jq 1.7 makes of the servers above. */
const cases: readonly (readonly [filter: string, results: readonly unknown[]])[] = [
  ['.', [servers]],
  ['', [servers]],
  ['.[].name', ['web-1', 'db "a"', 'web-2']],
  ['.[0].name, .[-1].id', ['web-1', 3]],
  ['.[1:] | map(.id)', [[2, 3]]],
  ['.[0].name[:3]', ['web']],
  ['map(select(.cpu > 80)) | length', [2]],
  ['[.[] | select(.name | startswith("web")) | .id]', [[1, 3]]],
  ['.[] | select(.groups | any(. == "eu")) | .id', [1]],
  ['.[] | select(.cpu >= 92.5 and (.name | test("2$"))) | .id', [3]],
  ['.[] | select(.id == 1 or .id == 3 | not) | .id', [2]],
  ['map({id, n: .name, "k k": .cpu})[1]', [{ id: 2, n: 'db "a"', 'k k': 3 }]],
  ['{(.[0,2].name): 1}', [{ 'web-1': 1 }, { 'web-2': 1 }]],
  ['.[0] | {a: 1 + .id * 2, b: -.id}', [{ a: 3, b: -1 }]],
  ['map(.cpu) | add / length | floor', [62]],
  ['[.[].note // "none"]', [['x\ty', '']]],
  ['.[0].note // "none"', ['none']],
  ['.[0].missing.deeper', [null]],
  ['[.[] | .name.x?]', [[]]],
  ['try (.[0].name | .x) catch "no"', ['no']],
  ['sort_by(-.cpu, .name) | map(.id)', [[1, 3, 2]]],
  ['group_by(.cpu) | map(map(.id))', [[[2], [1, 3]]]],
  ['unique_by(.cpu) | map(.id)', [[2, 1]]],
  ['max_by(.id).name, min_by(.cpu).id', ['web-2', 2]],
  ['[.[].groups[]] | unique | join(", ")', ['eu, web']],
  ['.[0] | "\\(.name) has \\(.groups | length) groups"', ['web-1 has 2 groups']],
  ['.[1] | @csv "\\([.id, .name])"', ['2,"db ""a"""']],
  ['.[1] | [.id, .note] | @tsv', ['2\tx\\ty']],
  ['.[1].name | @sh, @json, @uri', [`'db "a"'`, '"db \\"a\\""', 'db%20%22a%22']],
  ['if .[0].cpu > 90 then "hot" elif true then "warm" else "cold" end', ['hot']],
  ['.[0].id as $first | .[] | select(.id != $first) | .id', [2, 3]],
  ['reduce .[].cpu as $c (0; . + $c)', [188]],
  ['.[0] | to_entries | map(.key)', [['id', 'name', 'cpu', 'groups', 'note']]],
  ['.[0] | with_entries(select(.value | type == "number"))', [{ id: 1, cpu: 92.5 }]],
  ['.[0] | has("id"), has("nope")', [true, false]],
  ['[limit(2; .[].id)], first(.[].id), [range(3)]', [[1, 2], 1, [0, 1, 2]]],
  ['.[0]["name"], ."0"?', ['web-1']],
  ['[3, null, "a", false, [1], {"a": 1}] | sort', [[null, false, 3, 'a', [1], { a: 1 }]]],
  ['"a,b" | split(","), ascii_upcase, (ltrimstr("a"))', [['a', 'b'], 'A,B', ',b']],
  ['"2026-11-20T12:00:00Z" | fromdate | todate', ['2026-11-20T12:00:00Z']],
  ['{"a": {"b": 1}} | .a.b, .["a"]["b"], ."a".b', [1, 1, 1]],
  [
    '[1, [2, [3]]] | flatten, flatten(1)',
    [
      [1, 2, 3],
      [1, 2, [3]],
    ],
  ],
  ['[1,2,3] - [2] | contains([3])', [true]],
]

const pipe = { isTTY: false, isIndented: false }
const terminal = { isTTY: true, isIndented: true }
const loadJq = async () => jq
const withJq = (filter: string) => createFilter({ jq: filter, template: undefined }, loadJq)
const withTemplate = (template: string) => createFilter({ jq: undefined, template }, loadJq)

describe('C-06 --jq: the language of jq', () => {
  test.each(cases)('%s', async (filter, results) => {
    const written = (await withJq(`${filter || '.'} | [.]`))([servers], pipe)
    expect(
      written
        .trimEnd()
        .split('\n')
        .flatMap((line) => JSON.parse(line)),
    ).toEqual(results)
  })

  test.each(['.[', '.a |', 'nosuch', 'map(', '{a: }', '"open', '.a ) ', '$x', 'if . then 1', '.. ..', 'a b'])(
    '%s is refused as usage, before anything is asked for',
    async (filter) => {
      await expect(withJq(filter)).rejects.toMatchObject({
        code: 'usage',
        params: { reason: 'badFilter', part: filter.trim(), lines: [expect.stringMatching(/^[^\n]+[^:\n]$/)] },
      })
    },
  )

  test('a filter that begins with - is no option of jq', async () => {
    expect((await withJq('-.cpu'))([servers[1]], pipe)).toBe('-3\n')
    for (const filter of ['-h', '--help', '-n'])
      await expect(withJq(filter)).rejects.toMatchObject({ params: { reason: 'badFilter', part: filter } })
    await expect(withTemplate('{{-h}}')).rejects.toMatchObject({ params: { reason: 'badFilter', part: '-h' } })
  })

  test('a part of a template is checked alone and as it is run', async () => {
    for (const part of ['.id] | [.name', 'module {}; .'])
      await expect(withTemplate(`{{${part}}}`)).rejects.toMatchObject({ params: { reason: 'badFilter', part } })
  })

  test('jq isn’t run without values', async () => {
    const raw = vi.spyOn(jq, 'raw')
    const [write, writeLines] = [await withJq('.id'), await withTemplate('{{.id}}')]
    raw.mockClear()
    expect([write([], pipe), writeLines([], pipe)]).toEqual(['', ''])
    expect(raw).not.toHaveBeenCalled()
    raw.mockRestore()
  })

  test('a filter that does not fit the data says why', async () => {
    const format = await withJq('@nope')
    expect(() => format([servers], pipe)).toThrow(
      expect.objectContaining({ params: expect.objectContaining({ lines: ['nope is not a valid format'] }) }),
    )
    const write = await withJq('.[].name.first')
    expect(() => write([servers], pipe)).toThrow(
      expect.objectContaining({
        params: {
          reason: 'filterFailed',
          part: '.[].name.first',
          lines: ['Cannot index string with string ("first")'],
        },
      }),
    )
  })
})

describe('C-06 what is written', () => {
  test('texts as they are, the rest as JSON', async () => {
    const write = await withJq('.[0] | .name, .id, .groups')
    expect(write([servers], pipe)).toBe('web-1\n1\n["web","eu"]\n')
    expect((await withJq(''))([{ a: [1] }], terminal)).toBe('{\n  "a": [\n    1\n  ]\n}\n')
  })
  test('a line of --jsonl is filtered like the others', async () => {
    expect((await withJq('.id, .note'))(servers, pipe)).toBe('1\nnull\n2\nx\ty\n3\n\n')
  })
  test('--template: a line for each record', async () => {
    const write = await withTemplate('{{.id}}\\t{{.name}} [{{.groups[]}}] {{.note # no comment}}')
    const lines = '1\tweb-1 [web, eu] \n2\tdb "a" [] x\ty\n3\tweb-2 [web] \n'
    expect([write([servers], pipe), write(servers, pipe)]).toEqual([lines, lines])
    expect(write([servers[0]], pipe)).toBe('1\tweb-1 [web, eu] \n')
  })
  test('halves of a character, as a program may write them, are replaced', async () => {
    expect((await withJq('.a'))([{ a: 'x\ud800 \\ud800' }], pipe)).toBe('x\ufffd \\ud800\n')
  })
  test('T-17 on a terminal data has no power over it', async () => {
    const write = await withJq('.[]')
    expect(write([['a\u001b[31mb']], terminal)).toBe('a\\x1b[31mb\n')
    expect(write([['a\u001b[31mb']], pipe)).toBe('a\u001b[31mb\n')
  })
  test('both at once are refused', async () => {
    await expect(createFilter({ jq: '.', template: 'x' }, loadJq)).rejects.toMatchObject({ code: 'usage' })
  })
})
