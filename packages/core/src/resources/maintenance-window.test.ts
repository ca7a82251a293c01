import { expect, test } from 'vitest'
import { now, viewOf } from '../../../../tests/support/core/rows.ts'
import { checkInput } from '../fields/index.ts'
import { maintenanceWindow } from './maintenance-window.ts'

const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
const right = { ...maintenanceWindow.initial, name: 'disks', starts_at: at(0), ends_at: at(60) }

test.each<[string, object, object[]]>([
  ['right', {}, []],
  ['no name', { name: '' }, [{ field: 'name', code: 'required' }]],
  ['no beginning', { starts_at: '' }, [{ field: 'starts_at', code: 'required' }]],
  ['null for the end', { ends_at: null }, [{ field: 'ends_at', code: 'required' }]],
  ['no zone', { starts_at: '2026-11-20T14:00:00' }, [{ field: 'starts_at', code: 'notDate' }]],
  ['a date, which is one of UTC', { ends_at: '2036-11-20' }, []],
  ['no time', { starts_at: 'soon' }, [{ field: 'starts_at', code: 'notDate' }]],
  ['an end before the beginning', { ends_at: at(-1) }, [{ field: 'ends_at', code: 'endsFirst' }]],
  ['no length', { ends_at: at(0) }, [{ field: 'ends_at', code: 'endsFirst' }]],
  ['a coverage of another entity', { cover: 2 }, [{ field: 'cover', code: 'notOption' }]],
])('%s', (_name, change, problems) => {
  const checked = checkInput(maintenanceWindow.input, { ...right, ...change })
  expect(checked.ok ? [] : checked.problems).toEqual(problems)
})

test.each<[number, number, string]>([
  [1, 60, 'planned'],
  [0, 60, 'active'],
  [-60, 1, 'active'],
  [-60, 0, 'over'],
])('from %i to %i min it is %s', (from, to, state) => {
  const row = maintenanceWindow.read.parse({ id: 1, ...right, starts_at: at(from), ends_at: at(to) })
  expect(maintenanceWindow.derived.state!(row, viewOf({}))).toBe(state)
})

test('its servers are the listed ones or all others', () => {
  const row = (cover: number) => maintenanceWindow.read.parse({ id: 1, ...right, cover, servers: [3] })
  expect(maintenanceWindow.targets!(row(1))).toEqual({ mode: 'only', servers: [3] })
  expect(maintenanceWindow.targets!(row(0))).toEqual({ mode: 'except', servers: [3] })
})
