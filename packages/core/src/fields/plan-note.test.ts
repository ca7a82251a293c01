import { expect, test } from 'vitest'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { emptyPlan, planTexts, readPlan, writePlan } from './plan-note.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const note = JSON.stringify({
  theme: 'somebody else’s key',
  billingDataMod: {
    startDate: '2026-01-01T00:00:00+08:00',
    endDate: '0000-00-00T23:59:59+08:00',
    autoRenewal: '1',
    cycle: 'Month',
    amount: '5 EUR',
    vendor: 'x',
  },
  planDataMod: {
    bandwidth: '1 Gbps',
    trafficVol: '2 TB',
    trafficType: '2',
    IPv4: '1',
    IPv6: '0',
    networkRoute: 'CN2,GIA',
    extra: '',
  },
})

test('N-24 a public note is read as the plan it tells', () => {
  expect(readPlan(note)).toEqual({
    ...emptyPlan,
    start_date: '2026-01-01',
    amount: '5 EUR',
    cycle: 'month',
    renews: true,
    bandwidth: '1 Gbps',
    traffic: '2 TB',
    traffic_type: 'both_ways',
    ipv4: true,
    route: ['CN2', 'GIA'],
  })
  expect(planTexts(translator, readPlan(note)!)).toEqual([
    '5 EUR a month',
    'since 2026-01-01',
    'renews automatically',
    '1 Gbps',
    '2 TB in and out',
    'IPv4',
    'CN2',
    'GIA',
  ])
})

test.each(['', 'only words', '{"a":1}', '{broken', '[1]', 'null'])('%j is plain text', (text) =>
  expect(readPlan(text)).toBeNull(),
)

test('N-24 what was not changed stays as it was written, unknown keys too', () => {
  expect(JSON.parse(writePlan(readPlan(note)!, note))).toEqual(JSON.parse(note))
  const changed = JSON.parse(writePlan({ ...readPlan(note)!, end_date: '2027-06-01', ipv6: true }, note))
  expect(changed.theme).toBe('somebody else’s key')
  expect(changed.billingDataMod).toMatchObject({
    vendor: 'x',
    endDate: '2027-06-01',
    startDate: '2026-01-01T00:00:00+08:00',
  })
  expect(changed.planDataMod.IPv6).toBe('1')
})

test('a plan for a note without one', () => {
  const text = writePlan({ ...emptyPlan, amount: '5 EUR', cycle: 'year' }, 'words')
  expect(JSON.parse(text)).toEqual({ billingDataMod: { amount: '5 EUR', cycle: 'Year' }, planDataMod: {} })
  expect(readPlan(text)).toEqual({ ...emptyPlan, amount: '5 EUR', cycle: 'year' })
})

test.each([
  ['月', '5', 'month', '5 a month'],
  ['monthly', '5', 'month', '5 a month'],
  ['m', '5', 'month', '5 a month'],
  ['季', '15', 'quarter', '15 a quarter'],
  ['半年', '30', 'half_year', '30 every half-year'],
  ['年', '60', 'year', '60 a year'],
  ['Month', '0', 'month', 'free'],
  ['Month', 0, 'month', 'free'],
  ['', '-1', 'none', 'pay as you go'],
])('issue 36.30 cycle %j and amount %j of an older note are read', (cycle, amount, known, said) => {
  const old = JSON.stringify({ billingDataMod: { cycle, amount, autoRenewal: 1 }, planDataMod: { IPv4: 1 } })
  const plan = readPlan(old)!
  expect(plan).toMatchObject({ cycle: known, renews: true, ipv4: true })
  expect(planTexts(translator, plan)[0]).toBe(said)
  expect(JSON.parse(writePlan(plan, old))).toEqual(JSON.parse(old))
})
