import { expect, it } from 'vitest'
import { config } from 'zod'

it('makes only the few shared schemas when core is loaded, so that a start does not pay for those it never asks', async () => {
  const made: string[] = []
  const before = config().postProcessor
  config({
    postProcessor: () => {
      made.push(new Error('made here').stack ?? '')
    },
  })
  try {
    const { resources } = await import('@qd/core/resources')
    await Promise.all([
      import('@qd/core/actions'),
      import('@qd/core/api'),
      import('@qd/core/files'),
      import('@qd/core/schemas'),
      import('@qd/core/shells'),
      import('@qd/core/store'),
      import('@qd/core/view'),
    ])
    const atStart = made.length
    expect(atStart).toBeLessThan(100)
    expect(resources.map(({ input }) => Object.keys(input.shape).length)).toContain(0)
    expect(made.length).toBeGreaterThan(300)
  } finally {
    config({ postProcessor: before })
  }
})
