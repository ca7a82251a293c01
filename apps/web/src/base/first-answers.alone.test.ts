import { afterEach, expect, test, vi } from 'vitest'
import { takeFirstAnswer } from './first-answers.ts'

const url = (path: string) => `${location.origin}/api/v1/${path}`
const came = (first: object) => Object.assign(globalThis, { firstAnswers: first })
afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(globalThis, 'firstAnswers')
})

test('an answer in the page is given once; then the server is asked', async () => {
  came({ answers: { cron: { success: true, data: [] } }, fetched: {} })
  const first = await takeFirstAnswer(url('cron'))
  expect([first!.status, await first!.text()]).toEqual([200, '{"success":true,"data":[]}'])
  expect(await takeFirstAnswer(url('cron'))).toBeNull()
  expect(await takeFirstAnswer(url('cron?limit=5'))).toBeNull()
  expect(await takeFirstAnswer('https://elsewhere.example/api/v1/cron')).toBeNull()
})

test('a call that the page began is waited for; one that failed is made anew', async () => {
  came({
    answers: {},
    fetched: {
      server: Promise.resolve({ ok: true, headers: new Headers(), body: '{"success":true}' }),
      nat: Promise.reject(new TypeError('the network is gone')),
      ddns: Promise.resolve({ ok: false, headers: new Headers(), body: 'busy' }),
    },
  })
  expect(await (await takeFirstAnswer(url('server')))!.text()).toBe('{"success":true}')
  expect(await takeFirstAnswer(url('nat'))).toBeNull()
  expect(await takeFirstAnswer(url('ddns'))).toBeNull()
})

test('an answer that waited too long is not believed', async () => {
  came({ answers: { cron: { success: true } }, fetched: {} })
  vi.spyOn(performance, 'now').mockReturnValue(30_001)
  expect(await takeFirstAnswer(url('cron'))).toBeNull()
})
