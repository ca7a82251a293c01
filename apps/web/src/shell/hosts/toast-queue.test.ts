// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { notify, unsay } from '../../base/state/overlays.ts'
import { startToasts, toasts } from './toast-queue.ts'

beforeAll(startToasts)
beforeEach(() => {
  for (const { key } of toasts.visibleToasts) toasts.close(key)
})
const titles = () => toasts.visibleToasts.map(({ content }) => content.title)

test('issue 12.13: what went well gives way to the next toast; a failure stays until it is dismissed', () => {
  notify({ tone: 'ok', title: 'Saved web-1' })
  notify({ tone: 'bad', title: 'web-2 is gone' })
  expect(titles()).toEqual(['web-2 is gone'])
  notify({ tone: 'ok', title: 'Saved web-3' })
  notify({ tone: 'ok', title: 'Saved web-4' })
  expect(titles()).toEqual(['Saved web-4', 'web-2 is gone'])
})

test('issue 12.13: one toast per thing: what is said of it anew stands in place of what was said', () => {
  notify({ tone: 'bad', title: 'No answer', about: 'connection' })
  notify({ tone: 'bad', title: 'web-2 is gone' })
  notify({ tone: 'bad', title: 'Still no answer', about: 'connection' })
  expect(titles()).toEqual(['Still no answer', 'web-2 is gone'])
})

test('issue 16: what is said in its place is taken back', () => {
  notify({ tone: 'bad', title: 'Can’t reach it', about: 'sign-in' })
  notify({ tone: 'bad', title: 'web-2 is gone' })
  unsay('sign-in')
  expect(titles()).toEqual(['web-2 is gone'])
})
