import { expect, test } from 'vitest'
import { fieldValue, type View } from '../define/index.ts'
import { incident } from './incident.ts'

test('who heard of both the beginning and the end is named once; a failure keeps its reason', () => {
  const told = (name: string, ok: boolean) => ({
    at: '2026-11-25T10:00:00Z',
    notification_id: 1,
    name,
    ok,
    error: ok ? '' : 'refused',
  })
  const row = incident.read.parse({ id: 1, told: [told('chat', true), told('pager', false), told('chat', true)] })
  expect(fieldValue(incident, row as never, 'notified', {} as View)).toEqual(['chat', 'pager: refused'])
})
