import { isObject, parseJson } from '../errors.ts'
import type { Translator } from '../i18n/index.ts'

/** A server’s plan in its public note. `never` as an end date is empty. Source: contract http-api 4.17. */
export type PlanNote = {
  start_date: string
  end_date: string
  amount: string
  cycle: 'none' | 'day' | 'week' | 'month' | 'quarter' | 'half_year' | 'year'
  renews: boolean
  bandwidth: string
  traffic: string
  traffic_type: 'none' | 'one_way' | 'both_ways'
  ipv4: boolean
  ipv6: boolean
  route: readonly string[]
  extra: readonly string[]
}

export const emptyPlan: PlanNote = {
  start_date: '',
  end_date: '',
  amount: '',
  cycle: 'none',
  renews: false,
  bandwidth: '',
  traffic: '',
  traffic_type: 'none',
  ipv4: false,
  ipv6: false,
  route: [],
  extra: [],
}

/** Lower-case words of a cycle: the first one is written, with a capital; older notes have the others. */
const cycles: Readonly<Record<PlanNote['cycle'], readonly [string, ...string[]]>> = {
  none: [''],
  day: ['day', 'daily', 'd', '日', '天'],
  week: ['week', 'weekly', 'w', '周', '週'],
  month: ['month', 'monthly', 'mo', 'm', '月'],
  quarter: ['quarterly', 'quarter', 'qr', 'q', '季', '季度'],
  half_year: ['semi-annually', 'half', 'h', '半', '半年'],
  year: ['year', 'yearly', 'annual', 'annually', 'yr', 'y', '年'],
}
const directions: Readonly<Record<PlanNote['traffic_type'], string>> = { none: '', one_way: '1', both_ways: '2' }

type Tree = Readonly<Record<string, unknown>>

function readTree(text: string): Tree | null {
  const value = text.trimStart().startsWith('{') ? parseJson(text) : null
  return isObject(value) ? value : null
}

const part = (tree: Tree, name: string): Tree => (isObject(tree[name]) ? tree[name] : {})
/** Older notes have numbers instead of texts. */
const textOf = (tree: Tree, name: string): string =>
  typeof tree[name] === 'string' || typeof tree[name] === 'number' ? String(tree[name]) : ''
const listOf = (tree: Tree, name: string): string[] =>
  textOf(tree, name)
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
const keyOf = <K extends string>(names: Readonly<Record<K, string>>, value: string): K =>
  (Object.keys(names) as K[]).find((name) => names[name] === value) ?? ('none' as K)
const cycleOf = (value: string): PlanNote['cycle'] =>
  (Object.keys(cycles) as PlanNote['cycle'][]).find((name) => cycles[name].includes(value.trim().toLowerCase())) ??
  'none'
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
/** The year 0000 means never. */
const dateOf = (tree: Tree, name: string): string => {
  const date = textOf(tree, name).slice(0, 10)
  return date.startsWith('0000') ? '' : date
}

/** Null for a plain-text note. */
export function readPlan(text: string): PlanNote | null {
  const tree = readTree(text)
  if (!tree || !('billingDataMod' in tree || 'planDataMod' in tree)) return null
  const billing = part(tree, 'billingDataMod')
  const plan = part(tree, 'planDataMod')
  return {
    start_date: dateOf(billing, 'startDate'),
    end_date: dateOf(billing, 'endDate'),
    amount: textOf(billing, 'amount'),
    cycle: cycleOf(textOf(billing, 'cycle')),
    renews: textOf(billing, 'autoRenewal') === '1',
    bandwidth: textOf(plan, 'bandwidth'),
    traffic: textOf(plan, 'trafficVol'),
    traffic_type: keyOf(directions, textOf(plan, 'trafficType')),
    ipv4: textOf(plan, 'IPv4') === '1',
    ipv6: textOf(plan, 'IPv6') === '1',
    route: listOf(plan, 'networkRoute'),
    extra: listOf(plan, 'extra'),
  }
}

/** Updates the plan in a public note; other keys and unchanged values stay as written. */
export function writePlan(plan: PlanNote, before: string): string {
  const tree = readTree(before) ?? {}
  const old = readPlan(before) ?? emptyPlan
  const keep = <K extends keyof PlanNote>(name: K, key: string, of: Tree, value: string): Tree => {
    const isSame = JSON.stringify(plan[name]) === JSON.stringify(old[name])
    if (isSame) return key in of ? { [key]: of[key] } : {}
    return { [key]: value }
  }
  const flag = (on: boolean) => (on ? '1' : '0')
  const billing = part(tree, 'billingDataMod')
  const data = part(tree, 'planDataMod')
  return JSON.stringify({
    ...tree,
    billingDataMod: {
      ...billing,
      ...keep('start_date', 'startDate', billing, plan.start_date),
      ...keep('end_date', 'endDate', billing, plan.end_date === '' ? '0000-00-00T23:59:59+08:00' : plan.end_date),
      ...keep('renews', 'autoRenewal', billing, flag(plan.renews)),
      ...keep('cycle', 'cycle', billing, capital(cycles[plan.cycle][0])),
      ...keep('amount', 'amount', billing, plan.amount),
    },
    planDataMod: {
      ...data,
      ...keep('bandwidth', 'bandwidth', data, plan.bandwidth),
      ...keep('traffic', 'trafficVol', data, plan.traffic),
      ...keep('traffic_type', 'trafficType', data, directions[plan.traffic_type]),
      ...keep('ipv4', 'IPv4', data, flag(plan.ipv4)),
      ...keep('ipv6', 'IPv6', data, flag(plan.ipv6)),
      ...keep('route', 'networkRoute', data, plan.route.join(',')),
      ...keep('extra', 'extra', data, plan.extra.join(',')),
    },
  })
}

export function planTexts({ t }: Pick<Translator, 't'>, plan: PlanNote): string[] {
  const traffic =
    plan.traffic === '' || plan.traffic_type === 'none'
      ? plan.traffic
      : t(`ui.plan.traffic.${plan.traffic_type}`, { volume: plan.traffic })
  return [
    priceText(t, plan),
    plan.start_date === '' ? '' : t('ui.plan.since', { date: plan.start_date }),
    plan.end_date === '' ? '' : t('ui.plan.until', { date: plan.end_date }),
    plan.renews ? t('ui.plan.renews') : '',
    plan.bandwidth,
    traffic,
    plan.ipv4 ? 'IPv4' : '',
    plan.ipv6 ? 'IPv6' : '',
    ...plan.route,
    ...plan.extra,
  ].filter((text) => text !== '')
}

/** 0 and -1 have a meaning of their own in Nezha’s notes. */
function priceText(t: Translator['t'], { amount, cycle }: PlanNote): string {
  if (amount === '0') return t('ui.plan.free')
  if (amount === '-1') return t('ui.plan.metered')
  return amount === '' || cycle === 'none' ? amount : t(`ui.plan.per.${cycle}`, { amount })
}
