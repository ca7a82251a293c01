import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { admin, createWorld, type World } from '../support/world.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
})
afterAll(() => world.close())

const change = (body: Record<string, unknown>) => browser.send('POST', '/api/v1/profile', { body })
const valid = { original_password: admin.password, new_username: 'admin', new_password: 'a good new password' }

test.each([
  ['73 bytes', 'x'.repeat(73), 'tooManyBytes'],
  ['72 characters of more bytes', `${'x'.repeat(71)}é`, 'tooManyBytes'],
  ['a NUL byte', 'abcdefgh\0ijkl', 'wrong'],
  ['7 bytes', 'x'.repeat(7), 'tooShort'],
  ['7 characters of 28 bytes (issue 10.6)', '🔑'.repeat(7), 'tooShort'],
])('S-11 a password of %s is refused, never cut', async (_name, new_password, code) => {
  const { body } = await change({ ...valid, new_password })
  expect(body.problems).toEqual([expect.objectContaining({ field: 'new_password', code })])
})

test.each([
  ['no new password', { ...valid, new_password: '' }, 'new_password'],
  ['no new name', { ...valid, new_username: '' }, 'new_username'],
  ['neither', { original_password: admin.password }, 'new_username'],
  ['no original password', { ...valid, original_password: '' }, 'original_password'],
  ['a wrong original password', { ...valid, original_password: 'wrong password' }, 'original_password'],
])('S-12 a profile update with %s is refused', async (_name, body, field) => {
  const answer = await change(body)
  expect(answer.body.problems?.map((problem) => problem.field)).toContain(field)
  expect((await browser.send('GET', '/api/v1/profile')).body.success).toBe(true)
})

test('S-11 a password of exactly 72 bytes works whole', async () => {
  const password = `${'x'.repeat(70)}é`
  expect((await change({ ...valid, new_password: password })).body).toEqual({ success: true })
  const tryIn = (text: string) => world.guest().login('admin', text)
  expect((await tryIn(password.slice(0, 70))).body.success).toBeUndefined()
  expect((await tryIn(password)).body.success).toBe(true)
})

test('issue 10.6: a password of four characters in eight bytes, which an older version accepted, can be changed', async () => {
  await world.server.container.accounts.create({ username: 'mara', password: 'éééé', role: 1 })
  const mara = world.guest()
  await mara.login('mara', 'éééé')
  const body = { original_password: 'éééé', new_username: 'mara', new_password: 'contraseña nueva' }
  expect((await mara.send('POST', '/api/v1/profile', { body })).body).toEqual({ success: true })
})
