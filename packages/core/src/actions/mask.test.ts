import { expect, test } from 'vitest'
import { notification, server } from '../resources/index.ts'
import { maskSecrets } from './dry-run.ts'
import { describeCall } from './index.ts'

const hidden = '••••••'

test('a field is secret by the definition that it belongs to, not by its name', () => {
  const body = { name: 'docs', url: 'https://docs.example.net' }
  expect(maskSecrets(body, notification)).toEqual({ name: 'docs', url: hidden })
  expect(maskSecrets(body, server)).toEqual(body)
  expect(describeCall({ method: 'PATCH', path: 'notification/7', body }).body).toEqual({ name: 'docs', url: hidden })
  expect(describeCall({ method: 'PATCH', path: 'server/7', body }).body).toEqual(body)
})

test('what a sign-in carries is secret everywhere, and on a path of no entity every secret is', () => {
  expect(maskSecrets({ username: 'kim', password: 'x' }, 'server')).toEqual({ username: 'kim', password: hidden })
  expect(maskSecrets([{ nested: { url: 'x', token: '' } }], 'login')).toEqual([{ nested: { url: hidden, token: '' } }])
})
