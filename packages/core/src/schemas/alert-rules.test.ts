import { describe, expect, test } from 'vitest'
import { ruleConditions } from './alert-rules.ts'

const cpu = { type: 'cpu', max: 90, duration: 10, cover: 0 }
const cycle = { type: 'transfer_in_cycle', max: 1, cycle_interval: 1, cycle_start: '2026-01-01T00:00:00Z', cover: 0 }
/** Codes of refused conditions, each with the number it names. */
const codes = (rules: unknown) =>
  ruleConditions()
    .safeParse(rules)
    .error?.issues.map((issue) =>
      issue.code === 'custom' ? [issue.params?.code, issue.params?.number] : issue.path.join('.'),
    ) ?? []

describe('what the contract refuses (engines 1.9) has a code', () => {
  test.each<[string, unknown, unknown]>([
    ['no condition', [], ['ruleNeeded', undefined]],
    ['a coverage of another entity', [{ ...cpu, cover: 2 }], ['ruleCover', 1]],
    ['a coverage below zero', [cpu, { ...cpu, cover: -1 }], ['ruleCover', 2]],
    ['less than three samples', [{ ...cpu, duration: 2 }], ['ruleDuration', 1]],
    ['more samples than a day has', [{ ...cpu, duration: 28_801 }], ['ruleLong', 1]],
    ['no samples', [{ type: 'cpu', max: 90, cover: 0 }], ['ruleDuration', 1]],
    ['an empty text for samples', [{ ...cpu, duration: '' }], ['ruleDuration', 1]],
    ['no interval', [{ ...cycle, cycle_interval: 0 }], ['ruleInterval', 1]],
    ['an interval below zero', [{ ...cycle, cycle_interval: -3 }], ['ruleInterval', 1]],
    ['no beginning', [{ ...cycle, cycle_start: '' }], ['ruleStart', 1]],
    ['null for the beginning', [{ ...cycle, cycle_start: null }], ['ruleStart', 1]],
    ['a beginning that is no time', [cpu, cycle, { ...cycle, cycle_start: 'soon' }], ['ruleStart', 3]],
  ])('%s', (_name, rules, code) => expect(codes(rules)).toEqual([code]))
})

test.each<[string, unknown, string]>([
  ['null', null, ''],
  ['a text', 'cpu', ''],
  ['a null element', [null], '0'],
  ['no type', [{ cover: 0 }], '0.type'],
  ['an empty type', [{ ...cpu, type: '' }], '0.type'],
  ['no coverage', [{ type: 'cpu', duration: 3 }], '0.cover'],
  ['a limit that is a word', [{ ...cpu, max: 'much' }], '0.max'],
  ['a limit without end', [{ ...cpu, max: Number.POSITIVE_INFINITY }], '0.max'],
  ['half a sample', [{ ...cpu, duration: 3.5 }], '0.duration'],
  ['a server that is no id', [{ ...cpu, ignore: { web: true } }], '0.ignore.web'],
  ['a mark that is no flag', [{ ...cpu, ignore: { 1: 1 } }], '0.ignore.1'],
  ['too many', Array.from({ length: 65 }, () => cpu), ''],
])('%s is refused where it stands', (_name, rules, path) => expect(codes(rules)).toContain(path))

test.each<[string, unknown, unknown]>([
  ['a plain one', cpu, cpu],
  ['an unknown type, which never fires', { ...cpu, type: 'heat' }, { ...cpu, type: 'heat' }],
  ['empty texts for limits', { ...cpu, min: '', max: '' }, { ...cpu, min: 0, max: 0 }],
  ['a cycle without samples', cycle, cycle],
  ['what is no longer stored', { ...cpu, next_transfer_at: {}, last_cycle_status: true }, cpu],
  ['no marks', { ...cpu, ignore: null }, { ...cpu, ignore: undefined }],
  ['huge limits', { ...cpu, max: 1e300, duration: 28_800 }, { ...cpu, max: 1e300, duration: 28_800 }],
])('%s is taken', (_name, rule, taken) => expect(ruleConditions().parse([rule])).toEqual([taken]))
