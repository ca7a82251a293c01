import type { FetchResponse } from '@qd/core/api'

/** Answers that the server embeds in the page (`apps/server/src/api/routes/first-answers.ts`). Keys are paths below `/api/v1/`. */
interface FirstAnswers {
  answers: Record<string, unknown>
  fetched: Record<string, Promise<{ ok: boolean; headers: Headers; body: string }>>
}

/** Embedded answers older than this are requested again, in ms since navigation. */
const staleMs = 30_000

/** Returns the embedded or preloaded answer to a GET, each only once. */
export async function takeFirstAnswer(url: string): Promise<FetchResponse | null> {
  const { firstAnswers: first } = globalThis as { firstAnswers?: FirstAnswers }
  const path = url.startsWith(`${location.origin}/api/v1/`)
    ? url.slice(location.origin.length + '/api/v1/'.length)
    : null
  if (!first || path === null || performance.now() > staleMs) return null
  const answer = first.answers[path]
  const fetched = first.fetched[path]
  delete first.answers[path]
  delete first.fetched[path]
  if (answer !== undefined)
    return { status: 200, headers: new Headers(), setCookies: [], text: async () => JSON.stringify(answer) }
  const response = await fetched?.catch(() => null)
  return response?.ok
    ? { status: 200, headers: response.headers, setCookies: [], text: async () => response.body }
    : null
}
