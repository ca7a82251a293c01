import { expect, test } from 'vitest'
import { createHealth } from './health.ts'
import type { Engine } from './services.ts'

const engine = (name: string, start: () => Promise<void>, trouble: string | null = null): Engine => ({
  name,
  start,
  trouble: () => trouble,
  stop: async () => undefined,
})

test('not healthy until every engine has started, one after the other', async () => {
  const started: string[] = []
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const health = createHealth(
    [
      engine('slow', async () => {
        await held
        started.push('slow')
      }),
      engine('next', async () => void started.push('next')),
    ],
    async () => null,
  )
  const starting = health.start()
  expect(await health.troubles()).toEqual(['the server is starting'])
  letGo()
  await starting
  expect(started).toEqual(['slow', 'next'])
  expect(await health.troubles()).toEqual([])
})

test('an engine that does not start leaves it so, and every trouble is told', async () => {
  const health = createHealth(
    [engine('broken', () => Promise.reject(new Error('no')), 'it is broken')],
    async () => 'no database',
  )
  await expect(health.start()).rejects.toThrow('no')
  expect(await health.troubles()).toEqual(['the server is starting', 'no database', 'it is broken'])
})
