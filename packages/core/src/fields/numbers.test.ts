import { expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { present } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const context = {
  resource: { name: 'service' },
  fieldName: 'delay',
  translator,
  format: createFormat({ translator, timeZone: 'UTC' }),
  view: viewOf({}),
  targetsText: () => '',
}

test('issue 12, looks: figures of one column have decimals alike, and no answer that came took 0 ms', () => {
  const up = (value: number) => present({ kind: 'number', digits: 2, unit: 'percent' }, value, context).text
  expect([up(100), up(99.9), up(92.291)]).toEqual(['100.00%', '99.90%', '92.29%'])
  const latency = (value: number) => present({ kind: 'number', digits: 0, unit: 'ms' }, value, context).text
  expect([latency(2.1), latency(424.4), latency(0.3), latency(0)]).toEqual(['2 ms', '424 ms', '<1 ms', '0 ms'])
})
