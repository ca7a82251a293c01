import { describe, expect, test } from 'vitest'
import type { RuleCondition } from '../define/index.ts'
import { createFormat, createTranslator, languages, loadLanguage } from '../i18n/index.ts'
import { isCycleType, measured, metricName, metricOf, ruleMetrics, rulesSentence, unitOf } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const context = { translator, format: createFormat({ translator, timeZone: 'UTC' }) }
const say = (...rules: Omit<RuleCondition, 'cover'>[]) =>
  rulesSentence(
    rules.map((rule) => ({ cover: 0, ...rule })),
    context,
  )

describe('the sentence', () => {
  test.each<[Omit<RuleCondition, 'cover'>, string]>([
    [{ type: 'cpu', max: 90, duration: 10 }, 'CPU above 90% for 30 s'],
    [{ type: 'load5', min: 1, duration: 20 }, 'load (5 min) below 1 for 1 min'],
    [{ type: 'load5', min: 0.5, max: 6, duration: 20 }, 'load (5 min) below 0.5 or above 6 for 1 min'],
    [{ type: 'offline', duration: 10 }, 'offline for 30 s'],
    [{ type: 'offline', duration: 10, max: 5 }, 'offline for 30 s'],
    [{ type: 'net_all_speed', max: 10_485_760, duration: 3 }, 'traffic in + out above 10.0 MiB/s for 9 s'],
    [{ type: 'temperature_max', max: 80.5, duration: 3 }, 'highest temperature above 80.5 °C for 9 s'],
    [{ type: 'process_count', max: 1500, duration: 3 }, 'processes above 1,500 for 9 s'],
    [{ type: 'cpu', max: 0, duration: 3 }, 'CPU without a limit'],
    [{ type: 'heat', max: 1, duration: 3 }, 'unknown metric heat above 1 for 9 s'],
    [
      {
        type: 'transfer_all_cycle',
        max: 20 * 2 ** 40,
        cycle_start: '2026-01-01T00:00:00Z',
        cycle_interval: 1,
        cycle_unit: 'month',
      },
      'in + out above 20.0 TiB in 1 month from Thu, Jan 1, 00:00:00',
    ],
    [
      { type: 'transfer_in_cycle', max: 1024, cycle_start: 'soon', cycle_interval: 2, cycle_unit: 'fortnight' },
      'received above 1.0 KiB in 2 hours from ?',
    ],
  ])('%j', (rule, sentence) => expect(say(rule)).toBe(sentence))

  test('all conditions are joined, none is nothing', () => {
    const rules = [
      { type: 'cpu', max: 90, duration: 10 },
      { type: 'memory', max: 80, duration: 10 },
      { type: 'offline', duration: 10 },
    ]
    expect(say(...rules)).toBe('CPU above 90% for 30 s and memory above 80% for 30 s and offline for 30 s')
    expect(say()).toBe('')
  })
})

describe('metrics', () => {
  test('every one has a name and a value with its unit', () => {
    for (const metric of [...Object.keys(ruleMetrics), 'latency', 'availability']) {
      expect(metricName(metric, translator)).not.toMatch(/unknown|ui\./)
      expect(measured(metric, 12, context)).toMatch(/12/)
    }
  })
  test.each([
    ['latency', 128.5, '129 ms'],
    ['latency', 8.25, '8.3 ms'],
    ['availability', 93.24, '93.2%'],
    ['tcp_conn_count', 4200, '4,200'],
    ['heat', 1.234, '1.23'],
  ])('%s %d is %s', (metric, value, text) => expect(measured(metric, value, context)).toBe(text))
  test('names are those of the engine; gpu is another word for the busiest card', () => {
    expect([metricOf('cpu'), metricOf('gpu'), metricOf('CPU'), metricOf('toString'), metricOf('')]).toEqual([
      'cpu',
      'gpu_max',
      null,
      null,
      null,
    ])
    expect([unitOf('gpu'), unitOf('heat'), unitOf('constructor')]).toEqual(['percent', 'number', 'number'])
  })
  test('what ends like a cycle is one', () => {
    const cycles = Object.keys(ruleMetrics).filter(isCycleType)
    expect(cycles).toEqual(Object.entries(ruleMetrics).flatMap(([name, { cycle }]) => (cycle ? [name] : [])))
    expect(isCycleType('heat_cycle')).toBe(true)
  })
})

test.each(languages)('the sentence in %s says every value and no key', async (language) => {
  const bundle = await loadLanguage(language)
  const local = createTranslator({ language, bundles: { [language]: bundle } })
  const format = createFormat({ translator: local, timeZone: 'UTC' })
  const cycle = { cycle_start: '2026-01-01T00:00:00Z', cycle_interval: 7, cycle_unit: 'week' }
  const rules = [
    { type: 'cpu', max: 91, duration: 10, cover: 0 },
    { type: 'load5', min: 2, max: 83, duration: 20, cover: 0 },
    { type: 'tcp_conn_count', min: 4, duration: 20, cover: 0 },
    { type: 'offline', duration: 10, cover: 0 },
    { type: 'transfer_all_cycle', max: 25 * 2 ** 40, ...cycle, cover: 0 },
  ]
  const sentence = rulesSentence(rules, { translator: local, format })
  for (const value of ['91', '2', '83', '4', '30', '25', '7']) expect(sentence).toContain(value)
  expect(sentence).not.toMatch(/\{\{|\b(ui|resources)\./)
})
