import type { Field, FormShape, View } from '@qd/core/define'
import { inputText } from '@qd/core/fields'
import fc from 'fast-check'

/** A number that is set from outside; also for tests whose types know no Node. */
function setting(name: string): number | undefined {
  const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
  const text = process?.env[name]
  return text === undefined ? undefined : Number(text)
}

/** The same values in each run; QD_FUZZ_SEED looks for others. */
export const fuzzSeed = setting('QD_FUZZ_SEED') ?? 10

/** So many values a field where each costs much; QD_FUZZ_VALUES=2000 for a longer look. */
export const fuzzValues = setting('QD_FUZZ_VALUES') ?? 8

/** Pieces that texts of forms are made of; what breaks a reader is often two of them in a row. */
const pieces = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    ';',
    '\n',
    '\t',
    ' ',
    '\\',
    '/',
    '<',
    '>',
    '=',
    '-',
    '+',
    '*',
    '@',
    '#',
    '%',
  ],
  ...['null', 'true', 'false', '0', '-1', '1e999', '1e308', '9007199254740993', '0.1', 'NaN', 'Infinity'],
  ...[
    'cpu',
    'heat',
    'offline',
    'transfer_in_cycle',
    ' for ',
    ' in ',
    ' from ',
    ' on only ',
    ' or ',
    '30s',
    '1 month',
    '20T',
  ],
  ...['"type"', '"cover"', '"ignore"', '"cycle_start"', '"cycle_interval"', '"cycle_unit"', '"max"', '"duration"'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'web-1',
    '2026-02-31',
    '2026-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '+2h',
  ],
  ...[
    '{{',
    '}}',
    '#SERVER.NAME#',
    '$HOME',
    'none',
    'now',
    '@every ',
    '0 0 3 * * *',
    '::1',
    'http://[',
    '\u0000',
    '\u202e',
    'é',
    '𝕏',
    '\ud800',
  ],
]

const word = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))

/** A JSON object with some of a condition's parts, of any type. */
const part = fc.record(
  {
    type: fc.oneof(fc.constantFrom('cpu', 'transfer_in_cycle', 'x_cycle', 'offline', ''), fc.jsonValue()),
    cover: fc.oneof(fc.integer(), fc.jsonValue()),
    min: fc.oneof(fc.double(), fc.jsonValue()),
    max: fc.oneof(fc.double(), fc.jsonValue()),
    duration: fc.oneof(fc.integer(), fc.jsonValue()),
    cycle_start: fc.oneof(fc.constantFrom('2026-01-01T00:00:00Z', '-271821-04-20T00:00:00Z', 'x'), fc.jsonValue()),
    cycle_interval: fc.oneof(fc.maxSafeInteger(), fc.jsonValue()),
    cycle_unit: fc.oneof(fc.constantFrom('hour', 'month', 'YEAR', ''), fc.jsonValue()),
    ignore: fc.oneof(fc.dictionary(fc.constantFrom('1', '2', 'x', '__proto__'), fc.boolean()), fc.jsonValue()),
  },
  { requiredKeys: [] },
)

/** Texts as somebody may type or paste into a field of this kind: noise, almost right ones, and right ones with a piece changed. */
export function typedTexts(shape: FormShape, name: string, view: View): fc.Arbitrary<string> {
  const field = shape.fields[name] as Field
  const known = inputText(field, shape.initial[name], { fieldName: name, view })
  const changed = fc
    .tuple(fc.nat(known.length), fc.nat(4), fc.constantFrom('', ...pieces))
    .map(([at, cut, piece]) => known.slice(0, at) + piece + known.slice(at + cut))
  return fc.oneof(
    { weight: 2, arbitrary: word },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.array(fc.string()).map((items) => JSON.stringify(items)) },
    { weight: 2, arbitrary: changed },
    {
      weight: field.kind === 'rules' ? 8 : 0,
      arbitrary: fc.array(part, { maxLength: 3 }).map((rules) => JSON.stringify(rules)),
    },
    { weight: 1, arbitrary: fc.oneof(fc.double(), fc.bigInt()).map(String) },
  )
}
