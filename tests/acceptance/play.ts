import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createStage } from './stage.ts'
import { mismatch, parseStory } from './story.ts'

const folder = new URL('stories/', import.meta.url)
/** The stories are shared out among so many test files, which run beside each other. */
const shares = 4

/** Plays every fourth story as a test of its own, beginning with the one at `share`. */
export function playStories(share: 0 | 1 | 2 | 3): void {
  let programs: Programs

  beforeAll(async () => {
    programs = await buildPrograms()
  })

  afterAll(() => programs?.close())

  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
  for (const file of files.filter((_, index) => index % shares === share)) {
    const story = parseStory(readFileSync(new URL(file, folder), 'utf8'))
    test(`${file}: ${story.title}`, { timeout: 120_000 }, async () => {
      const stage = await createStage(story, programs)
      try {
        for (const step of story.steps) {
          const ended = await stage.run(step)
          const wrong = [
            ended.code === step.code ? null : `exit code ${ended.code} instead of ${step.code}`,
            mismatch(step.stdout, ended.stdout),
            mismatch(step.stderr, ended.stderr),
          ].filter((part) => part !== null)
          const where = `${file}:${step.line}: $ ${step.command}`
          expect(wrong.length === 0 ? '' : [where, ...wrong, `stderr: ${ended.stderr}`].join('\n')).toBe('')
        }
      } finally {
        await stage.close()
      }
    })
  }
}
